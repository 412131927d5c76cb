import test, { type ExecutionContext } from 'ava';
import { createMailQueue } from '../../../src/mail/mail-queue.ts';
import { openSmtp } from '../../../src/mail/open-smtp.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createLostMails, LOST_AFTER_MS } from '../../../src/verification/mails/lost-mails.ts';
import { createVerificationMails } from '../../../src/verification/mails/verification-mails.ts';
import { createSealer } from '../../../src/verification/sealer.ts';
import { UNNAMED_SITE } from '../../../src/web/site.ts';
import { openSmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { until } from '../../helpers/until.ts';
import { PUBLIC_URL, startVerification, submit, type TestVerification } from '../verification-server.ts';

const HOLD_SECRET = 'a hold secret of this test';

/** Its mail server takes nothing, as if the process had died before it could send. */
const openDying = (t: ExecutionContext) =>
  startVerification(t, {
    refuseMail: () => Object.assign(new Error('Try again later'), { responseCode: 451 }),
  });

/** Another process on the same records, with a mail server that works and a clock of its own. */
async function openLiving(t: ExecutionContext, { records }: TestVerification, secret = HOLD_SECRET) {
  const mailbox = await openSmtpMailbox(t);
  const log = createLogger({ level: 'silent', format: 'json' });
  const metrics = createMetrics();
  let at = 0;
  let now = 0;
  const { heldSignups } = records;
  const mailer = openSmtp({ url: mailbox.url, from: 'Shop <no-reply@app.example>' });
  const queue = createMailQueue({ mailer, log });
  const common = { heldSignups, metrics: metrics.verification, clock: () => now, log };
  const mails = createVerificationMails({ ...common, queue });
  t.teardown(() => mails.close());
  const lost = createLostMails({
    ...{ ...common, mails, sealer: createSealer([secret]) },
    settings: () => ({ publicUrl: PUBLIC_URL, site: UNNAMED_SITE }),
    elapsed: () => at,
  });
  return {
    mailbox,
    metrics,
    async look(afterMs: number, time: number) {
      [at, now] = [afterMs, time];
      await lost.look();
    },
  };
}

async function hold(dying: TestVerification, email?: string): Promise<string> {
  const held = await dying.hold(email);
  if (held.kind !== 'held') throw new Error(held.kind);
  return new URL(held.url).pathname;
}

test('a mail that stays queued for three minutes is written again once, with a code that works', async (t) => {
  const dying = await openDying(t);
  const path = await hold(dying);
  const living = [await openLiving(t, dying), await openLiving(t, dying)] as const;
  const lookAll = (afterMs: number) =>
    Promise.all(living.map((node) => node.look(afterMs, dying.now + afterMs)));
  await lookAll(10);
  await lookAll(LOST_AFTER_MS + 9);
  const received = () => living.flatMap(({ mailbox }) => mailbox.mails);
  await lookAll(LOST_AFTER_MS + 10);
  await until(() => received().length > 0);
  const [mail] = received();
  t.deepEqual(mail?.to, ['jane@example.com']);
  // Until the server's word has been noted.
  await until(async () => (await dying.records.heldSignups.queuedMails(1)).length === 0);
  await lookAll(3 * LOST_AFTER_MS);
  t.is(received().length, 1);
  dying.now += LOST_AFTER_MS + 10;
  const confirmed = await submit(dying, path, { code: mail?.code ?? '' });
  t.is(confirmed.status, 201);
  t.is(dying.replays.length, 1);
});

test('a mail that the server refused for now until its process stopped is written again', async (t) => {
  const stopping = await openDying(t);
  await hold(stopping);
  await until(() => stopping.logLines.some((line) => line.includes('did not accept a mail')));
  await stopping.verification.close();
  const living = await openLiving(t, stopping);
  await living.look(0, stopping.now);
  await living.look(LOST_AFTER_MS, stopping.now);
  const [mail] = await living.mailbox.received(1);
  t.deepEqual(mail?.to, ['jane@example.com']);
});

test('the budget of mails and the mails of the signup stay as they are', async (t) => {
  const dying = await openDying(t);
  await hold(dying);
  const living = await openLiving(t, dying);
  const [before] = await dying.records.heldSignups.queuedMails(1);
  await living.look(0, dying.now);
  await living.look(LOST_AFTER_MS, dying.now);
  await living.mailbox.received(1);
  const renewal = { requestId: before?.requestId ?? '', maxMails: 2, waitMs: 0, codeHash: 'x' };
  const once = { mailbox: 2, origin: 2, site: 2 };
  const now = dying.now + LOST_AFTER_MS;
  const outcome = await dying.records.heldSignups.renewMail({ ...renewal, now, codeExpiresAt: now }, once);
  t.is(outcome.kind, 'renewed', 'one mail was counted, not two');
});

test('a mail that its process keeps is left alone, and the time of other clocks says nothing', async (t) => {
  const dying = await openDying(t);
  await hold(dying);
  const living = await openLiving(t, dying);
  const { heldSignups } = dying.records;
  const forty = 40 * 86_400_000;
  await living.look(0, dying.now + forty);
  const [mail] = await heldSignups.queuedMails(1);
  if (!mail) throw new Error('a mail is queued');
  t.true(await heldSignups.keepMail(mail, dying.now + 1));
  await living.look(LOST_AFTER_MS, dying.now - forty);
  await living.look(2 * LOST_AFTER_MS - 1, dying.now);
  t.is((await heldSignups.queuedMails(1))[0]?.mailedAt, dying.now + 1);
  await living.look(2 * LOST_AFTER_MS, dying.now + 2);
  t.is((await living.mailbox.received(1)).length, 1);
});

test('a process without the secret takes over nothing', async (t) => {
  const dying = await openDying(t);
  await hold(dying);
  const stranger = await openLiving(t, dying, 'another hold secret');
  const [before] = await dying.records.heldSignups.queuedMails(1);
  for (const afterMs of [0, LOST_AFTER_MS, 2 * LOST_AFTER_MS]) await stranger.look(afterMs, dying.now + 5);
  t.deepEqual(await dying.records.heldSignups.queuedMails(1), before ? [before] : []);
});

test('all lost mails are written again at one look', async (t) => {
  const dying = await openDying(t);
  const emails = Array.from({ length: 15 }, (_, i) => `someone${i}@example.com`);
  for (const email of emails) await hold(dying, email);
  const living = await openLiving(t, dying);
  await living.look(0, dying.now);
  await living.look(LOST_AFTER_MS, dying.now + 1);
  const mails = await living.mailbox.received(emails.length);
  t.deepEqual(mails.flatMap(({ to }) => to).sort(), emails.toSorted());
});

for (const isTakenOver of [false, true]) {
  const [what, outcome] = isTakenOver
    ? ['was taken over', 'sends it not']
    : ['is still its own', 'keeps and sends it'];
  test(`a process that tries again after half a minute, with a mail that ${what}, ${outcome}`, async (t) => {
    let isBusy = true;
    const mailbox = await openSmtpMailbox(t, () =>
      isBusy ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null,
    );
    const dying = await openDying(t);
    await hold(dying);
    const { heldSignups } = dying.records;
    const [mail] = await heldSignups.queuedMails(1);
    if (!mail) throw new Error('a mail is queued');
    const log = createLogger({ level: 'silent', format: 'json' });
    const metrics = createMetrics().verification;
    let at = 0;
    const mailer = openSmtp({ url: mailbox.url, from: 'Shop <no-reply@app.example>' });
    const onRetry = () => {
      [at, isBusy] = [26_000, false];
    };
    const queue = createMailQueue({ mailer, log, retryDelaysMs: [1], onRetry });
    const clock = () => dying.now + at;
    const mails = createVerificationMails({ heldSignups, metrics, clock, elapsed: () => at, log, queue });
    t.teardown(() => mails.close());
    const held = {
      ...{
        requestId: mail.requestId,
        recipient: 'jane@example.com',
        language: 'en' as const,
        linkToken: 'x',
      },
      ...{
        context: { score: 55 },
        message: { method: 'POST', target: '/', body: Buffer.alloc(0), rawHeaders: [] },
      },
    };
    if (isTakenOver) {
      const renewed = { now: dying.now + 1, codeHash: 'new', codeExpiresAt: mail.expiresAt };
      await heldSignups.takeOverMail(mail, renewed);
    }
    mails.send({
      held,
      code: '123456',
      mailedAt: mail.mailedAt,
      expiresAt: mail.expiresAt,
      publicUrl: PUBLIC_URL,
      site: UNNAMED_SITE,
    });
    await until(() => at > 0);
    const isSent = async () => (await heldSignups.queuedMails(1)).length === 0;
    if (!isTakenOver) {
      await until(isSent);
      t.is(mailbox.mails.length, 1);
      return;
    }
    await mails.close();
    t.is(mailbox.mails.length, 0);
    t.false(await isSent());
  });
}

test('a mail that waits for its turn at a slow mail server is left alone, and its end is recorded', async (t) => {
  const dying = await openDying(t);
  await hold(dying);
  const { heldSignups } = dying.records;
  const [mail] = await heldSignups.queuedMails(1);
  if (!mail) throw new Error('a mail is queued');
  const { requestId, expiresAt, mailedAt } = mail;
  let at = 0;
  let end: (result: 'sent') => void = () => {};
  const mails = createVerificationMails({
    queue: {
      add(_mail, done) {
        end = done;
      },
      async close() {},
    },
    ...{ heldSignups, metrics: createMetrics().verification, elapsed: () => at },
    clock: () => dying.now + at,
    log: createLogger({ level: 'silent', format: 'json' }),
  });
  const message = { method: 'POST', target: '/', body: Buffer.alloc(0), rawHeaders: [] };
  const held = {
    ...{ requestId, recipient: 'jane@example.com', linkToken: 'x', message },
    context: { score: 55 },
  };
  mails.send({
    ...{ held: { ...held, language: 'en' }, code: '123456', mailedAt, expiresAt },
    ...{ publicUrl: PUBLIC_URL, site: UNNAMED_SITE },
  });
  const living = await openLiving(t, dying);
  for (; at <= 2 * LOST_AFTER_MS; at += 15_000) {
    await mails.keepWaiting();
    await living.look(at, dying.now + at);
  }
  t.is(living.mailbox.mails.length, 0);
  t.is((await heldSignups.queuedMails(1)).length, 1);
  // The server accepts the mail while the process records that it still has it.
  at += 60_000;
  const keeping = mails.keepWaiting();
  end('sent');
  await keeping;
  await mails.close();
  t.deepEqual(await heldSignups.queuedMails(1), []);
});
