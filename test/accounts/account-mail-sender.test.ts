import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { requireEmail } from '../../src/accounts/read-email.ts';
import { clientFrom } from './open-account-records.ts';
import { openAccountService } from './open-account-service.ts';

const request = (email: string, language = 'en') => ({
  ...{ email: requireEmail(email), ip: clientFrom('203.0.113.7').ip, language },
});

test('a visitor gets a link to register, the owner of an account a mail about the account', async (t) => {
  const { service, mails, user } = await openAccountService(t);
  await user('jane@example.com');
  service.mailSender.register(request('jane@example.com'));
  service.mailSender.register(request('john@example.com'));
  while (mails.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  const textTo = (recipient: string) => mails.find((mail) => mail.recipient === recipient)?.text ?? '';
  t.regex(textTo('john@example.com'), /https:\/\/gatekeeper\.example\/links\/[\w-]{43}/);
  t.regex(textTo('jane@example.com'), /account already exists.*https:\/\/gatekeeper\.example\/sign-in/s);
});

test('a mail is in the language of the browser that asked for it', async (t) => {
  const { service, mails, user } = await openAccountService(t);
  await user('jane@example.com');
  service.mailSender.resetPassword(request('jane@example.com', 'de'));
  while (mails.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(mails[0]?.subject, 'Neues Passwort für gatekeeper.example');
});

test('at most a hundred mails wait at once', async (t) => {
  const { service, mails } = await openAccountService(t);
  for (let i = 0; i < 100; i++) service.mailSender.resetPassword(request(`user${i}@example.com`));
  const refused = t.throws(() => service.mailSender.resetPassword(request('late@example.com')), {
    instanceOf: AccountError,
  });
  t.like(refused, { code: 'busy', retryAfterSeconds: 10 });
  t.deepEqual(mails, []);
});
