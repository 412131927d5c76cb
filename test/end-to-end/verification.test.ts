import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { CHROMIUM, openBrowser } from '../helpers/browser.ts';
import { freePort } from '../helpers/free-port.ts';
import { spawnServe } from '../helpers/gatekeeper-process.ts';
import { openUpstreamApp } from '../helpers/upstreams/open-upstream.ts';
import { testPlainForm } from './plain-form.contract.ts';
import { SHOPS, startShop } from './signup-shops.ts';

const TOOL = { 'user-agent': 'python-requests/2.32.3', accept: '*/*' };
const photo = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) & 255));

for (const shop of SHOPS) {
  const isInstalled = CHROMIUM !== null && shop.isInstalled();
  // What is missing is named by the skipped test's title; the full proof counts it as a failure.
  const testWhereInstalled = isInstalled ? test : test.skip;
  testWhereInstalled(
    `in Chromium, a ${shop.name} app gets a form with a file, once its sender verified`,
    async (t) => {
      const port = (await openUpstreamApp(t, shop)) ?? 0;
      const { url, mailbox } = await startShop(t, port);
      const browser = await openBrowser(t, { isJudged: true });
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();

      await page.goto(`${url}/signup`);
      await page.fill('input[name=email]', 'jane.doe@gmail.com');
      await page.setInputFiles('input[name=photo]', {
        name: 'me.jpg',
        mimeType: 'image/jpeg',
        buffer: photo,
      });
      await page.click('button');
      t.regex(page.url(), /\/\.gatekeeper\/verify\/[\w-]{43}$/);
      t.is(await page.textContent('h1'), 'Check your mail');
      const [mail] = await mailbox.received(1);

      // A mail scanner that runs scripts, in a browser of its own, opens the link and looks around.
      const scanner = await (await browser.newContext()).newPage();
      await scanner.goto(mail?.link ?? '');
      t.is(await scanner.textContent('h1'), 'Confirm your sign-up');

      await page.fill('input[name=code]', mail?.code ?? '');
      await page.click('button:has-text("Confirm")');
      const sha256 = createHash('sha256').update(photo).digest('hex');
      t.is(await page.textContent('body'), `welcome known=true accounts=1 photo=${sha256}`);
      t.is(page.url(), `${url}/welcome?photo=${sha256}`);

      await scanner.click('button');
      t.is(await scanner.textContent('h1'), 'This page is no longer valid');

      const json = await fetch(`${url}/api/signup`, {
        ...{ method: 'POST', body: '{"user": {"email": "joe@gmail.com"}}' },
        headers: { ...TOOL, 'content-type': 'application/json' },
      });
      t.is(json.status, 403);
      const { verification_url } = (await json.json()) as { readonly verification_url: string };
      const [, second] = await mailbox.received(2);
      const answer = await fetch(verification_url, {
        ...{ method: 'POST', body: JSON.stringify({ code: second?.code }) },
        headers: { 'content-type': 'application/json' },
      });
      t.is(answer.status, 201);
      t.deepEqual(await answer.json(), { id: 2 });
    },
  );
}

/** `verified-forms.long.test.ts` does so with the other shops. */
for (const shop of SHOPS.slice(0, 1)) testPlainForm(shop);

/** An app that can come late, and counts. */
async function openCountingApp(t: ExecutionContext, port: number): Promise<{ readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(201).end('welcome');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { bodies };
}

test('kill -9 between hold and confirm loses nothing, and an app that was away gets the signup once', async (t) => {
  const upstreamPort = await freePort();
  const { running, folder, url, mailbox } = await startShop(t, upstreamPort);
  const signup = await fetch(`${url}/signup`, {
    ...{ method: 'POST', body: 'email=jane.doe%40gmail.com&x=%C3%A4' },
    headers: { ...TOOL, 'content-type': 'application/x-www-form-urlencoded' },
  });
  const { verification_url } = (await signup.json()) as { readonly verification_url: string };
  const [mail] = await mailbox.received(1);
  await running.end('SIGKILL');

  await spawnServe(t, folder, ['serve']);
  const confirm = () =>
    fetch(verification_url, {
      ...{ method: 'POST', body: JSON.stringify({ code: mail?.code }) },
      headers: { 'content-type': 'application/json' },
    });
  t.is((await confirm()).status, 502);
  const app = await openCountingApp(t, upstreamPort);
  const statuses = (await Promise.all(Array.from({ length: 50 }, confirm))).map(({ status }) => status);
  t.deepEqual(statuses.sort(), [201, ...Array.from({ length: 49 }, () => 410)]);
  t.deepEqual(app.bodies, ['email=jane.doe%40gmail.com&x=%C3%A4']);
  t.is((await confirm()).status, 410);
});

const testWithBrowser = CHROMIUM === null ? test.skip : test;

testWithBrowser(
  'in Chromium, who corrects a form that the app refused needs no second mail, and a stranger’s signup is reported',
  async (t) => {
    const upstreamPort = await freePort();
    const bodies: string[] = [];
    const app = createHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.method === 'POST') bodies.push(body);
      const isDone = body.includes('password=long-enough');
      response.writeHead(isDone ? 201 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(
        isDone
          ? '<h1>Welcome</h1>'
          : '<form method="post" action="/signup"><input name="email"><input name="password"><button>Sign up</button></form>',
      );
    }).listen(upstreamPort, '127.0.0.1');
    await once(app, 'listening');
    t.teardown(() => {
      app.close();
      app.closeAllConnections();
    });
    const { url, mailbox } = await startShop(t, upstreamPort);
    const browser = await openBrowser(t, { isJudged: true });
    const signUp = async (page: Page, password: string) => {
      await page.fill('input[name=email]', 'jane.doe@gmail.com');
      await page.fill('input[name=password]', password);
      await page.click('button');
    };

    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(`${url}/signup`);
    await signUp(page, 'short');
    const [mail] = await mailbox.received(1);
    await page.fill('input[name=code]', mail?.code ?? '');
    await page.click('button:has-text("Confirm")');
    // The app's answer is the form again, shown where the code was entered.
    await signUp(page, 'long-enough');
    t.is(await page.textContent('h1'), 'Welcome');
    t.is(mailbox.mails.length, 1);

    const stranger = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await stranger.goto(`${url}/signup`);
    await signUp(stranger, 'long-enough-too');
    t.is(await stranger.textContent('h1'), 'Check your mail');
    const [, second] = await mailbox.received(2);
    const owner = await (await browser.newContext({ locale: 'de' })).newPage();
    await owner.goto(second?.link ?? '');
    t.regex((await owner.textContent('dl')) ?? '', /vor 1 Minute \(.+ UTC\).*einem Programm.*unbekannt/s);
    await owner.click('button:has-text("Das war ich nicht")');
    t.is(await owner.textContent('h1'), 'Vielen Dank');
    await stranger.fill('input[name=code]', second?.code ?? '');
    await stranger.click('button:has-text("Confirm")');
    t.is(await stranger.textContent('h1'), 'This page is no longer valid');
    t.is(bodies.length, 2);
  },
);
