import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { openUpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import { SHOPS, startShop } from './signup-shops.ts';

/** Set this to an existing folder to save screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? null;
/** An ordinary browser: with an ordinary address, its signup is at low risk. */
const DESKTOP =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const photo = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) & 255));
const NOTE = 'Zoë & Söhne = 100 %;\n+1 "ja" jane.doe+shop@gmial.com 🙂';
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/**
 * A port that passes all bytes on, and remembers those of the clients, a buffer for each connection.
 *
 * @param target the port to pass to, once it is known.
 */
async function openRecorder(t: ExecutionContext, target: { port: number }) {
  const connections: Buffer[] = [];
  const server = createServer((client) => {
    const onward = connect(target.port, '127.0.0.1');
    const index = connections.push(Buffer.alloc(0)) - 1;
    client.on('data', (piece) => {
      connections[index] = Buffer.concat([connections[index] ?? Buffer.alloc(0), piece]);
    });
    client.pipe(onward).pipe(client);
    for (const socket of [client, onward]) {
      socket.on('error', () => {
        client.destroy();
        onward.destroy();
      });
    }
    t.teardown(() => {
      client.destroy();
      onward.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections };
}

/** The body of each POST to that path. */
function bodiesOf(connections: readonly Buffer[], path: string): readonly Buffer[] {
  return connections.flatMap((bytes) => {
    const bodies: Buffer[] = [];
    for (let at = bytes.indexOf(`POST ${path} `); at !== -1; at = bytes.indexOf(`POST ${path} `, at + 1)) {
      const begin = bytes.indexOf('\r\n\r\n', at) + 4;
      const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', at, begin)) ?? [];
      bodies.push(bytes.subarray(begin, begin + Number(length)));
    }
    return bodies;
  });
}

async function shotsOf(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  for (const width of [360, 1_280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}.png`, fullPage: true });
  }
}

for (const shop of SHOPS) {
  const isInstalled = CHROMIUM !== null && shop.isInstalled();
  const testWhereInstalled = isInstalled ? test : test.skip;
  testWhereInstalled(
    `in Chromium, a ${shop.name} app gets the suggested address in place of the typed one, and all other bytes`,
    async (t) => {
      const app = await openRecorder(t, { port: (await openUpstreamApp(t, shop)) ?? 0 });
      const gate = { port: 0 };
      const before = await openRecorder(t, gate);
      const { url, mailbox, gatePort } = await startShop(t, app.port, before.port);
      gate.port = gatePort;
      const browser = await openBrowser(t, { isJudged: true });

      // At low risk with the suggested address: it is forwarded at once. No JavaScript is needed.
      const plain = await (
        await browser.newContext({ locale: 'en-GB', userAgent: DESKTOP, javaScriptEnabled: false })
      ).newPage();
      await plain.goto(`${url}/join`);
      await plain.fill('input[name=email]', 'jane.doe+shop@gmial.com');
      await plain.fill('textarea', NOTE);
      await plain.click('button');
      t.is(await plain.textContent('#suggestion'), 'Is your address right?');
      await shotsOf(plain, `suggestion-${shop.name}`);
      await plain.click('button:has-text("Use jane.doe+shop@gmail.com instead")');
      const note = sha256(NOTE.replace('\n', '\r\n'));
      t.is(await plain.textContent('body'), `welcome known=true accounts=1 photo=${note}`);
      t.is(plain.url(), `${url}/welcome?photo=${note}`);

      // At medium risk: it is held once more, and the mail goes to the suggested address.
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      await page.goto(`${url}/signup`);
      await page.fill('input[name=email]', 'jöhn@hotmial.com');
      await page.setInputFiles('input[name=photo]', {
        ...{ name: 'jöhn@hotmial.com', mimeType: 'image/jpeg', buffer: photo },
      });
      await page.click('button');
      const first = page.url();
      await page.click('a:has-text("My address is right")');
      t.is(page.url(), `${first}#code`);
      await page.click('button:has-text("Use jöhn@hotmail.com instead")');
      const { pathname } = new URL(page.url());
      t.regex(pathname, /^\/\.gatekeeper\/verify\/[\w-]{43}$/);
      t.not(pathname, new URL(first).pathname);
      t.is(await page.textContent('h1'), 'Check your mail');
      t.is(await page.$('#suggestion'), null);
      const mails = await mailbox.received(3);
      const mail = mails.find(({ to }) => to.some((recipient) => recipient.endsWith('@hotmail.com')));
      await page.fill('input[name=code]', mail?.code ?? '');
      await page.click('button:has-text("Confirm")');
      t.is(await page.textContent('body'), `welcome known=true accounts=2 photo=${sha256(photo)}`);
      await page.goto(first);
      t.is(await page.textContent('h1'), 'This page is no longer valid');

      for (const [path, typed, meant] of [
        ['/join', 'email=jane.doe%2Bshop%40gmial.com', 'email=jane.doe%2Bshop%40gmail.com'],
        ['/signup', '\r\n\r\njöhn@hotmial.com\r\n', '\r\n\r\njöhn@hotmail.com\r\n'],
      ] as const) {
        const [sent, ...others] = bodiesOf(before.connections, path);
        const [received, ...more] = bodiesOf(app.connections, path);
        t.deepEqual([others.length, more.length], [0, 0]);
        const [old, corrected] = [typed, meant].map((text) => Buffer.from(text).toString('latin1'));
        t.true(sent?.toString('latin1').includes(old ?? ''));
        t.is(received?.toString('latin1'), sent?.toString('latin1').replace(old ?? '', corrected ?? ''));
      }
    },
  );
}
