import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import type { Mail } from '../../src/mail/mail.ts';
import { checkSmtp, openSmtp } from '../../src/mail/open-smtp.ts';

const mail: Mail = { recipient: 'jane@example.com', subject: 'Code', text: '012345', html: '<p>012345</p>' };
/** Longer than the usual pause against programs that send spam, or the timeout of a DNS look-up. */
const SLOW_MS = 12_000;

// Exim with `delay`, Postfix with a milter and a client address without a name: all of them need more than 10 s.
for (const slow of ['greeting', 'recipient', 'mail']) {
  test(`a server that needs 12 s for the ${slow} gets the mail once`, async (t) => {
    let deliveries = 0;
    const server = createServer(async (socket) => {
      socket.on('error', () => {});
      const answer = async (step: string, line: string) => {
        if (step === slow) await wait(SLOW_MS);
        socket.write(`${line}\r\n`);
      };
      await answer('greeting', '220 ready');
      let isMail = false;
      for await (const bytes of socket) {
        const text = String(bytes);
        if (isMail) {
          if (!/(?:^|\r\n)\.\r\n$/.test(text)) continue;
          isMail = false;
          deliveries++;
          await answer('mail', '250 taken');
        } else if (/^DATA/.test(text)) {
          isMail = true;
          socket.write('354 go on\r\n');
        } else await answer(/^RCPT/.test(text) ? 'recipient' : '', '250 fine');
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const smtp = openSmtp({ url, from: 'Shop <no-reply@shop.example>' });
    t.teardown(smtp.close);
    if (slow === 'greeting') t.is(await checkSmtp(url), null);
    await t.notThrowsAsync(smtp.send(mail));
    t.is(deliveries, 1);
  });
}
