import test from 'ava';
import { createDevelopmentMailbox } from '../../src/mail/development-mailbox.ts';
import type { Mail } from '../../src/mail/mail.ts';

const mail = (subject: string): Mail => ({ recipient: 'jane@example.com', subject, text: '', html: '' });

test('the newest hundred mails are kept, newest first, each with its time', async (t) => {
  let now = 0;
  const mailbox = createDevelopmentMailbox(() => now);
  for (now = 1; now <= 150; now++) await mailbox.send(mail(`number ${now}`));
  t.deepEqual(
    mailbox.received().map(({ at, mail: { subject } }) => [at, subject]),
    Array.from({ length: 100 }, (_, i) => [150 - i, `number ${150 - i}`]),
  );
  mailbox.close();
  t.deepEqual(mailbox.received(), []);
});

test('mails of accounts are deleted and refused as soon as an operator exists', async (t) => {
  const mailbox = createDevelopmentMailbox(() => 0);
  await mailbox.forAccounts.send(mail('of an account'));
  await mailbox.send(mail('of a signup'));
  const subjects = () => mailbox.received().map(({ mail: { subject } }) => subject);
  t.deepEqual(subjects(), ['of a signup', 'of an account']);
  mailbox.forAccounts.stop();
  t.deepEqual(subjects(), ['of a signup']);
  await t.throwsAsync(mailbox.forAccounts.send(mail('of an account')), { name: 'MailError' });
  t.deepEqual(subjects(), ['of a signup']);
});
