import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import type { Mail } from '../../src/mail/mail.ts';
import { checkSmtp, openSmtp } from '../../src/mail/open-smtp.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';

const from = 'Shop <no-reply@shop.example>';
const mail: Mail = { recipient: 'jane@example.com', subject: 'Code', text: '012345', html: '<p>012345</p>' };

/** Accepts every mail and stores its envelope: real servers refuse many addresses that RFC 5321 allows. */
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

test('the name of the sender arrives as it is written, whatever signs it has', async (t) => {
  const server = await openNotingServer(t);
  const senders = {
    'Team: Signups <a@shop.example>': 'From: "Team: Signups" <a@shop.example>',
    'Shop (Help); Mail <a@shop.example>': 'From: "Shop (Help); Mail" <a@shop.example>',
    'Shop, Inc. <a@shop.example>': 'From: "Shop, Inc." <a@shop.example>',
    '"Shop, \\"the\\" Inc." <a@shop.example>': 'From: "Shop, \\"the\\" Inc." <a@shop.example>',
    '<a@shop.example>': 'From: a@shop.example',
    'a@shop.example': 'From: a@shop.example',
  };
  for (const [written, line] of Object.entries(senders)) {
    const smtp = openSmtp({ url: server.url, from: written });
    t.teardown(smtp.close);
    await smtp.send(mail);
    t.deepEqual(
      server.heads.splice(0).filter((head) => /^from:/i.test(head)),
      [line],
    );
  }
});

test('a sender at an international domain has only ASCII in the head of its mails', async (t) => {
  const server = await openNotingServer(t);
  const smtp = openSmtp({ url: server.url, from: 'Büro <no-reply@bücher.example>' });
  t.teardown(smtp.close);
  await smtp.send({ ...mail, id: '1' });
  t.true(server.heads.includes('Message-ID: <1@xn--bcher-kva.example>'));
  t.deepEqual(
    server.heads.filter((line) => /[^ -~\t]/.test(line)),
    [],
  );
});

test('any valid address is the only recipient, and adds no other line', async (t) => {
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
    await smtp.send({ ...mail, recipient });
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
    await t.throwsAsync(smtp.send({ ...mail, recipient }), {
      name: 'MailError',
      message: 'EADDRESS',
    });
    t.deepEqual(server.recipients, []);
  });
}

test('a mail has one Message-ID for all tries, of the domain of the sender', async (t) => {
  const server = await openNotingServer(t);
  const smtp = openSmtp({ url: server.url, from });
  t.teardown(smtp.close);
  const ids: string[] = [];
  for (const id of ['one', 'one', 'two']) {
    await smtp.send({ ...mail, id });
    ids.push(...server.heads.splice(0).filter((head) => /^message-id:/i.test(head)));
  }
  t.deepEqual(
    ids,
    ['one', 'one', 'two'].map((id) => `Message-ID: <${id}@shop.example>`),
  );
});

test('a server on loopback may have a certificate of its own, unless the URL refuses it', async (t) => {
  const { url, mails } = await openSmtpMailbox(t, () => null, { hasTls: true });
  t.is(await checkSmtp(url), null);
  const smtp = openSmtp({ url, from });
  t.teardown(smtp.close);
  await smtp.send(mail);
  t.is(mails.length, 1);
  const strict = `${url}?tls.rejectUnauthorized=true`;
  t.regex((await checkSmtp(strict)) ?? '', /^ESOCKET [A-Z_]*CERT[A-Z_]*$/);
});

test('an error says whether the server refused the mail or cannot be used', async (t) => {
  const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
  for (const code of [452, 550]) {
    const { url } = await openSmtpMailbox(t, () => refusal(code));
    const smtp = openSmtp({ url, from });
    t.teardown(smtp.close);
    const error = await smtp.send(mail).catch((reason: unknown) => reason);
    t.like(error, { isAboutMail: true, isFinal: code >= 500, message: `EMESSAGE ${code}` });
  }
  const smtp = openSmtp({ url: 'smtp://127.0.0.1:1', from });
  t.teardown(smtp.close);
  const error = await smtp.send(mail).catch((reason: unknown) => reason);
  t.like(error, { isAboutMail: false, isFinal: false, message: 'ESOCKET ECONNREFUSED' });
});
