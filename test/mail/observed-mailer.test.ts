import test from 'ava';
import { MailError, type Mailer } from '../../src/mail/mailer.ts';
import { observedMailer } from '../../src/mail/observed-mailer.ts';
import { createOutcomeRecorder } from '../../src/telemetry/service-outcomes.ts';

const MAIL = { recipient: 'jane@example.com', subject: 'Code', text: '1', html: '1' };

function observed(failure: Error | null) {
  const outcomes = createOutcomeRecorder(() => 7);
  const mailer: Mailer = {
    async send() {
      if (failure) throw failure;
    },
    close: () => {},
  };
  return { outcomes, mailer: observedMailer(mailer, outcomes) };
}

test('a mail that was accepted is a success', async (t) => {
  const { mailer, outcomes } = observed(null);
  await mailer.send(MAIL);
  t.like(outcomes.read(), { lastSuccessAt: 7, failuresInARow: 0 });
});

test('a refused mail is a failure with its code, and the caller gets the error', async (t) => {
  const { mailer, outcomes } = observed(new MailError(false, 'ECONNECTION'));
  await t.throwsAsync(mailer.send(MAIL), { message: 'ECONNECTION' });
  t.like(outcomes.read(), { lastSuccessAt: null, failuresInARow: 1, failure: 'ECONNECTION' });
});

test('a failure never shows the recipient', async (t) => {
  const { mailer, outcomes } = observed(new Error('no mailbox jane@example.com'));
  await t.throwsAsync(mailer.send(MAIL));
  t.is(outcomes.read().failure, 'unexpected error');
});

test('a mailbox that refuses every try counts once, and a server that does not answer counts each time', async (t) => {
  for (const [isAboutMail, failures] of [
    [true, 2],
    [false, 10],
  ] as const) {
    const { mailer, outcomes } = observed(new MailError(false, 'EENVELOPE 452', { isAboutMail }));
    for (const mail of [MAIL, { ...MAIL }]) {
      for (let i = 0; i < 5; i++) await t.throwsAsync(mailer.send(mail));
    }
    t.is(outcomes.read().failuresInARow, failures);
  }
});
