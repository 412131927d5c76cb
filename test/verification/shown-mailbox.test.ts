import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createDevelopmentMailbox } from '../../src/mail/development-mailbox.ts';
import { showMailbox } from '../../src/verification/shown-mailbox.ts';

test('the mailbox shows the newest hundred mails, newest first, and all of them as text', async (t) => {
  const mailbox = showMailbox(
    createDevelopmentMailbox(() => 0),
    () => [],
  );
  for (let i = 1; i <= 150; i++) {
    const text = `<script>alert(1)</script>\n\nnumber ${i}\n\njavascript:alert(1)`;
    await mailbox.send({ recipient: `"<b>"@example.com`, subject: '<i>', text, html: '' });
  }
  const server = createServer(mailbox.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mailbox?x=1`);
  t.is(response.headers.get('cache-control'), 'no-store');
  t.regex(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const page = await response.text();
  t.notRegex(page, /<script|<b>|<i>|href=/);
  t.deepEqual(
    [...page.matchAll(/number (\d+)/g)].map(([, number]) => Number(number)),
    Array.from({ length: 100 }, (_, i) => 150 - i),
  );
  mailbox.close();
});
