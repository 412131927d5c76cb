import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { startShop } from './signup-shops.ts';

const FORM = `<!doctype html><title>Sign up</title>
<form method="post" action="/signup"><input name="email"><button>Sign up</button></form>`;
const PAGES: Readonly<Record<string, string>> = {
  '/': '<!doctype html><title>Shop</title><iframe src="/signup" width="600" height="600"></iframe>',
  '/signup': FORM,
  '/welcome': '<!doctype html><h1>Welcome</h1>',
};

async function openApp(t: ExecutionContext): Promise<number> {
  const app = createServer((request, response) => {
    if (request.method === 'POST') response.writeHead(303, { Location: '/welcome' }).end();
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGES[request.url ?? '']);
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.close();
    app.closeAllConnections();
  });
  return (app.address() as AddressInfo).port;
}

const testInBrowser = CHROMIUM === null ? test.skip : test;

testInBrowser('a form in a frame of the site shows the page of the code and the block page', async (t) => {
  const { url, mailbox } = await startShop(t, await openApp(t));
  const browser = await openBrowser(t, { isJudged: true });
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  const frame = page.frameLocator('iframe');
  await page.goto(url);
  await frame.locator('[name=email]').fill('jane.doe@gmail.com');
  await frame.locator('button').click();
  t.is(await frame.locator('h1').textContent(), 'Check your mail');
  const [mail] = await mailbox.received(1);
  await frame.locator('[name=code]').fill(mail?.code ?? '');
  await frame.getByRole('button', { name: 'Confirm' }).click();
  await frame.getByRole('heading', { name: 'Welcome' }).waitFor();

  await page.goto(url);
  await frame.locator('[name=email]').fill('x8k2q@mailinator.com');
  await frame.locator('button').click();
  t.is(
    await frame.getByRole('heading', { name: 'We could not' }).textContent(),
    'We could not complete your sign-up',
  );
});
