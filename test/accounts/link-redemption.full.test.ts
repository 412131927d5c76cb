import test from 'ava';
import { createPasswordLink, createSetUpLink } from '../../src/accounts/account-links.ts';
import type { AccountService } from '../../src/accounts/account-service.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { cheapHash } from '../helpers/cheap-password.ts';
import { clientFrom, PUBLIC_URL } from './open-account-records.ts';
import { openAccountService, PASSWORD } from './open-account-service.ts';

const { ip } = clientFrom('203.0.113.7');

async function linkOf(service: AccountService, url: string | null) {
  const link = await service.links.find(url?.split('/').at(-1) ?? '');
  if (!link) throw new Error('the link does not work');
  return link;
}

const resetLinkOf = (records: Storage, id: string) =>
  createPasswordLink(
    records,
    { id, email: 'jane@example.com' },
    { kind: 'password-reset', publicUrl: PUBLIC_URL },
  );

test('the set-up link creates the first operator once, and no later set-up link exists', async (t) => {
  const { service, records, acts } = await openAccountService(t);
  const link = await linkOf(service, await createSetUpLink(records, PUBLIC_URL));
  t.like(await service.links.choosePassword(link, { email: 'no email', password: 'short' }, ip), {
    done: false,
    because: 'input',
    problems: { password: 'The password is too short. Use at least 8 characters.' },
  });
  const input = { email: 'Op@Example.com', password: PASSWORD };
  t.like(await service.links.choosePassword(link, input, ip), {
    done: true,
    account: { email: 'op@example.com', role: 'operator', plan: 'hobby' },
  });
  t.like(await service.links.choosePassword(link, input, ip), { done: false, because: 'closed' });
  t.is(await createSetUpLink(records, PUBLIC_URL), null);
  t.like(await acts(), [{ act: 'account.created', detail: { role: 'operator', plan: 'hobby' } }]);
});

test('an expired and an invented link are not found', async (t) => {
  const { service, records, user, clock } = await openAccountService(t);
  const { id } = await user('jane@example.com');
  const url = await resetLinkOf(records, id);
  clock.now += 3_600_000;
  t.is(await service.links.find(url.split('/').at(-1) ?? ''), null);
  t.is(await service.links.find('A'.repeat(43)), null);
});

test('a new password by link lets its owner sign in after other clients used the tries up', async (t) => {
  const { service, records, user, acts } = await openAccountService(t);
  const jane = await user('jane@example.com', { hash: cheapHash('forgotten long ago') });
  const client = clientFrom('203.0.113.7');
  for (let i = 0; i < 10; i++) {
    await service.signIn({ email: 'jane@example.com', password: `wrong ${i}` }, client);
  }
  const link = await linkOf(service, await resetLinkOf(records, jane.id));
  t.true((await service.links.choosePassword(link, { email: '', password: PASSWORD }, ip)).done);
  t.truthy(await service.signIn({ email: 'jane@example.com', password: PASSWORD }, client));
  t.is((await acts())[0]?.act, 'account.password_set');
});
