import { AsyncLocalStorage } from 'node:async_hooks';
import test from 'ava';
import type { Mail } from '../../src/mail/mail.ts';
import { createMailQueue } from '../../src/mail/mail-queue.ts';
import { MailError } from '../../src/mail/mailer.ts';
import { openSmtp } from '../../src/mail/open-smtp.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';

const log = createLogger({ level: 'silent', format: 'json' });
const from = 'Shop <no-reply@shop.example>';
const mail: Mail = { recipient: 'jane@example.com', subject: 'Code', text: '012345', html: '<p>012345</p>' };

test('a mail that is not accepted at first is tried again and then counts as sent', async (t) => {
  const busy = Object.assign(new Error('come back later'), { responseCode: 451 });
  const mailbox = await openSmtpMailbox(t, (delivery) => (delivery <= 2 ? busy : null));
  const queue = createMailQueue({
    ...{ mailer: openSmtp({ url: mailbox.url, from }), log, retryDelaysMs: [1, 1, 1] },
  });
  t.is(await new Promise((resolve) => queue.add(mail, resolve)), 'sent');
  t.is(mailbox.mails.length, 1);
  await queue.close();
});

test('a final refusal fails at once, and a refusal that stays fails after the last try', async (t) => {
  for (const [responseCode, tries] of [
    [550, 1],
    [451, 3],
  ] as const) {
    let deliveries = 0;
    const mailbox = await openSmtpMailbox(t, () => {
      deliveries++;
      return Object.assign(new Error('no'), { responseCode });
    });
    const queue = createMailQueue({
      ...{ mailer: openSmtp({ url: mailbox.url, from }), log, retryDelaysMs: [1, 1] },
    });
    t.is(await new Promise((resolve) => queue.add(mail, resolve)), 'failed');
    t.is(deliveries, tries);
    await queue.close();
  }
});

test('an unreachable server fails the mail, and no log line has the address', async (t) => {
  const lines: string[] = [];
  const queue = createMailQueue({
    mailer: openSmtp({ url: 'smtp://127.0.0.1:1', from }),
    log: createLogger({ level: 'debug', format: 'json', write: (line) => void lines.push(line) }),
    retryDelaysMs: [1],
  });
  t.is(await new Promise((resolve) => queue.add(mail, resolve)), 'failed');
  t.is(lines.length, 2);
  t.regex(lines.join(''), /ECONNREFUSED|ESOCKET/);
  t.notRegex(lines.join(''), /jane|012345|verify/);
  await queue.close();
});

test('the queue is bounded, sends a few mails at a time, and loses no accepted mail', async (t) => {
  let running = 0;
  let most = 0;
  const mailer = {
    async send() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
    close() {},
  };
  const queue = createMailQueue({ mailer, log, maxWaiting: 50 });
  const results: string[] = [];
  for (let i = 0; i < 100; i++) queue.add(mail, (result) => results.push(result));
  // Suites in the same process may hold up the event loop for longer than the usual limit.
  await queue.close(60_000);
  t.is(most, 4);
  t.deepEqual(
    [results.filter((result) => result === 'sent').length, results.filter((r) => r === 'failed').length],
    [54, 46],
  );
  await new Promise<void>((resolve) =>
    queue.add(mail, (result) => {
      t.is(result, 'unsent');
      resolve();
    }),
  );
});

test('closing tries waiting mails once more, and leaves those that are not accepted', async (t) => {
  let tries = 0;
  const mailer = {
    send() {
      tries++;
      return Promise.reject(new MailError(false, 'ETEST'));
    },
    close() {},
  };
  const queue = createMailQueue({ mailer, log, retryDelaysMs: [3_600_000, 3_600_000] });
  const result = new Promise((resolve) => queue.add(mail, resolve));
  await new Promise((resolve) => setImmediate(resolve));
  await queue.close();
  t.is(await result, 'unsent');
  t.is(tries, 2);
});

test('each mail is sent in the context of its own request, also when it waited for others', async (t) => {
  const request = new AsyncLocalStorage<number>();
  const sentIn: (number | undefined)[] = [];
  const queue = createMailQueue({
    mailer: {
      async send() {
        sentIn.push(request.getStore());
        await new Promise((resolve) => setImmediate(resolve));
      },
      close() {},
    },
    log,
  });
  const requests = Array.from({ length: 12 }, (_, i) => i);
  await Promise.all(
    requests.map((i) => request.run(i, () => new Promise((resolve) => queue.add(mail, resolve)))),
  );
  t.deepEqual(sentIn, requests);
  await queue.close();
});
