import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { cheapHash } from '../helpers/cheap-password.ts';
import { clientFrom } from './open-account-records.ts';
import { openAccountService, PASSWORD } from './open-account-service.ts';

const EMAIL = 'jane@example.com';

test('the right password opens a session, whatever the letter case of the email', async (t) => {
  const { service, user } = await openAccountService(t);
  const jane = await user(EMAIL, { hash: cheapHash(PASSWORD) });
  const entered = await service.signIn(
    { email: ' JANE@Example.com', password: PASSWORD },
    clientFrom('203.0.113.7'),
  );
  const signedIn = entered?.step === 'signed-in' ? entered.signedIn : null;
  t.is((await service.sessions.find(signedIn?.token ?? ''))?.account.id, jane.id);
});

test('a wrong password, an unknown email and an account without password open none', async (t) => {
  const { service, user } = await openAccountService(t);
  await user(EMAIL, { hash: cheapHash(PASSWORD) });
  await user('invited@example.com');
  const client = clientFrom('203.0.113.7');
  for (const credentials of [
    { email: EMAIL, password: 'wrong' },
    { email: 'john@example.com', password: PASSWORD },
    { email: 'invited@example.com', password: PASSWORD },
    { email: 'no email', password: PASSWORD },
  ]) {
    t.is(await service.signIn(credentials, client), null);
  }
});

test('unknown browsers that use up the tries of an account lock out no known browser', async (t) => {
  const { service, user } = await openAccountService(t);
  await user(EMAIL, { hash: cheapHash(PASSWORD) });
  const credentials = { email: EMAIL, password: PASSWORD };
  const first = await service.signIn(credentials, clientFrom('203.0.113.7'));
  const wrong = { email: EMAIL, password: 'wrong' };
  for (let i = 0; i < 10; i++) await service.signIn(wrong, clientFrom('203.0.113.7'));
  const refused = await t.throwsAsync(service.signIn(credentials, clientFrom('203.0.113.7')), {
    instanceOf: AccountError,
  });
  t.is(refused?.code, 'too_many_attempts');
  const known = clientFrom('203.0.113.7', {
    knownBrowser: first?.step === 'signed-in' ? first.signedIn.knownBrowser : null,
  });
  t.truthy(await service.signIn(credentials, known));
});

test('a huge password is refused and does not count as a try', async (t) => {
  const { service } = await openAccountService(t);
  for (let i = 0; i < 20; i++) {
    const huge = { email: EMAIL, password: 'x'.repeat(5_000) };
    const refused = await t.throwsAsync(service.signIn(huge, clientFrom('203.0.113.7')), {
      instanceOf: AccountError,
    });
    t.is(refused?.code, 'too_long');
  }
});
