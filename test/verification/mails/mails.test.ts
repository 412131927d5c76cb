import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { parseMailbox } from '../../../src/addresses/mailbox.ts';
import { createMailQueue } from '../../../src/mail/mail-queue.ts';
import { MailError } from '../../../src/mail/mailer.ts';
import { openSmtp } from '../../../src/mail/open-smtp.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { composeMail, type MailFacts } from '../../../src/verification/mails/compose-mail.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { openSmtpMailbox } from '../../helpers/smtp-mailbox.ts';

const log = createLogger({ level: 'silent', format: 'json' });
const from = 'Shop <no-reply@shop.example>';
const link = 'https://app.example/.gatekeeper/verify/0123456789abcdefghijklmnopqrstuvwxyz-_ABCDE';

function facts(changes: Partial<MailFacts> = {}): MailFacts {
  return {
    ...{ recipient: 'jane@example.com', language: 'en', site: 'app.example', code: '012345', link },
    ...{ codeMinutes: 10, linkMinutes: 30 },
    ...changes,
  };
}

for (const language of LANGUAGES) {
  test(`a mail in ${language} says who asks, code, link and how long, in text and in HTML alike`, async (t) => {
    const mailbox = await openSmtpMailbox(t);
    const smtp = openSmtp({ url: mailbox.url, from });
    t.teardown(smtp.close);
    await smtp.send(composeMail(facts({ language })));
    const [mail] = await mailbox.received(1);
    t.like(mail, { from: 'no-reply@shop.example', to: ['jane@example.com'], code: '012345', link });
    t.true(mail?.subject.includes('app.example'));
    for (const body of [mail?.text ?? '', mail?.html ?? '']) {
      for (const said of ['app.example', '012345', link, '10', '30']) t.true(body.includes(said), said);
      t.false(/jane|\{\w+\}/i.test(body));
    }
    t.regex(mail?.html ?? '', new RegExp(`<html lang="${language}">`));
    t.regex(mail?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m);
    t.deepEqual([...new Set(mail?.html.match(/(?:src|href)="[^"]*"/g))], [`href="${link}"`]);
  });
}

/** Takes everything, and notes the envelope as it was sent: real servers choke on half of what RFC 5321 allows. */
async function openNotingServer(
  t: ExecutionContext,
): Promise<{ url: string; recipients: string[]; heads: string[] }> {
  const [recipients, heads]: [string[], string[]] = [[], []];
  const server = createServer((socket) => {
    let inMail = false;
    socket.write('220 ready\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      for (const line of bytes.toString('utf8').split('\r\n')) {
        if (inMail) {
          heads.push(line);
          inMail = line !== '.';
          if (!inMail) socket.write('250 taken\r\n');
        } else if (line.startsWith('EHLO')) socket.write('250-hello\r\n250 SMTPUTF8\r\n');
        else if (line === 'DATA') {
          inMail = true;
          socket.write('354 go on\r\n');
        } else if (line !== '') {
          if (line.startsWith('RCPT TO:')) recipients.push(line.slice('RCPT TO:'.length));
          socket.write('250 fine\r\n');
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, recipients, heads };
}

test('whatever valid address a sender types goes to that one recipient, and into no other line', async (t) => {
  const server = await openNotingServer(t);
  const smtp = openSmtp({ url: server.url, from });
  t.teardown(smtp.close);
  const addresses = [
    '"a@evil.example, b"@example.com',
    '"quoted space"@example.com',
    "o'hara+tag=x@example.com",
    'a!b%c@example.com',
    'jäne@example.com',
    '"very.(),:;[]\\".VERY.\\"very@\\\\ \\"very\\".unusual"@example.com',
  ];
  for (const recipient of addresses) {
    t.truthy(parseMailbox(recipient), recipient);
    await smtp.send(composeMail(facts({ recipient })));
    t.deepEqual(server.recipients.splice(0), [`<${recipient}>`]);
    t.is(server.heads.splice(0).filter((line) => /^(?:to|cc|bcc):/i.test(line)).length, 1);
  }
});

for (const recipient of [
  'a@example.com\r\nBcc: b@example.com',
  'a\nb@example.com',
  '"a\rb"@example.com',
  'a\0@example.com',
  'a@example.com, b@example.com',
  'Jane <a@example.com>',
  '"x> <y@evil.example"@example.com',
]) {
  test(`nothing is sent to ${JSON.stringify(recipient)}`, async (t) => {
    const server = await openNotingServer(t);
    const smtp = openSmtp({ url: server.url, from });
    t.teardown(smtp.close);
    await t.throwsAsync(smtp.send(composeMail(facts({ recipient }))), {
      name: 'MailError',
      message: 'EADDRESS',
    });
    t.deepEqual(server.recipients, []);
  });
}

test('what stands in a site name or a link cannot break out of the HTML', (t) => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { html } = composeMail(facts({ site: text, link: text, code: text }));
      const tags = html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/"[^"]*"/g, '""'));
      const expected = composeMail(facts())
        .html.match(/<[^>]*>/g)
        ?.map((tag) => tag.replace(/"[^"]*"/g, '""'));
      t.deepEqual(tags, expected);
    }),
  );
});

test('a mail that is not taken at first is tried again, and then counts as sent', async (t) => {
  const busy = Object.assign(new Error('come back later'), { responseCode: 451 });
  const mailbox = await openSmtpMailbox(t, (delivery) => (delivery <= 2 ? busy : null));
  const queue = createMailQueue({
    ...{ mailer: openSmtp({ url: mailbox.url, from }), log, retryDelaysMs: [1, 1, 1] },
  });
  t.is(await new Promise((resolve) => queue.add(composeMail(facts()), resolve)), 'sent');
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
    t.is(await new Promise((resolve) => queue.add(composeMail(facts()), resolve)), 'failed');
    t.is(deliveries, tries);
    await queue.close();
  }
});

test('a server that is not there fails the mail, and its address is in no log line', async (t) => {
  const lines: string[] = [];
  const queue = createMailQueue({
    mailer: openSmtp({ url: 'smtp://127.0.0.1:1', from }),
    log: createLogger({ level: 'debug', format: 'json', write: (line) => void lines.push(line) }),
    retryDelaysMs: [1],
  });
  t.is(await new Promise((resolve) => queue.add(composeMail(facts()), resolve)), 'failed');
  t.is(lines.length, 2);
  t.regex(lines.join(''), /ECONNREFUSED|ESOCKET/);
  t.notRegex(lines.join(''), /jane|012345|verify/);
  await queue.close();
});

test('the queue is bounded, sends a few at a time, and loses none of what it took', async (t) => {
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
  for (let i = 0; i < 100; i++) queue.add(composeMail(facts()), (result) => results.push(result));
  await queue.close();
  t.is(most, 4);
  t.deepEqual(
    [results.filter((result) => result === 'sent').length, results.filter((r) => r === 'failed').length],
    [54, 46],
  );
  await new Promise<void>((resolve) =>
    queue.add(composeMail(facts()), (result) => {
      t.is(result, 'failed');
      resolve();
    }),
  );
});

test('closing tries once more what waits for its pause, and then gives it up', async (t) => {
  let tries = 0;
  const mailer = {
    send() {
      tries++;
      return Promise.reject(new MailError(false, 'ETEST'));
    },
    close() {},
  };
  const queue = createMailQueue({ mailer, log, retryDelaysMs: [3_600_000] });
  const failed = new Promise((resolve) => queue.add(composeMail(facts()), resolve));
  await new Promise((resolve) => setImmediate(resolve));
  await queue.close();
  t.is(await failed, 'failed');
  t.is(tries, 2);
});
