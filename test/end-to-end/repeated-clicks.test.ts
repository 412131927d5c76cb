import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { until } from '../helpers/until.ts';
import { startShop } from './signup-shops.ts';

/** A shop whose app answers a signup only when the test says so. */
async function openSlowShop(t: ExecutionContext) {
  const waiting: ServerResponse[] = [];
  const app = createServer((incoming, response) => {
    incoming.resume().on('end', () => void waiting.push(response));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.closeAllConnections();
    app.close();
  });
  const { url, mailbox, running } = await startShop(t, (app.address() as AddressInfo).port);
  const signUp = async (name: string) => {
    const response = await fetch(`${url}/signup`, {
      ...{ method: 'POST', body: new URLSearchParams({ email: `${name}@gmail.com` }) },
      headers: { 'user-agent': 'python-requests/2.32.3', accept: 'application/json' },
    });
    const { verification_url } = (await response.json()) as { readonly verification_url: string };
    const [mail] = await mailbox.received(1);
    return { page: verification_url, link: mail?.link ?? '', code: mail?.code ?? '' };
  };
  return { waiting, signUp, running };
}

/** A click of a browser, on a connection of its own. */
function click(url: string, body: string) {
  const sent = request(url, {
    ...{ method: 'POST', agent: false },
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    },
  });
  const answered = new Promise<IncomingMessage | null>((resolve) => {
    sent.on('response', (response) => resolve(response.resume()));
    sent.on('error', () => resolve(null));
  });
  sent.end(body);
  return { answered, leave: () => void sent.destroy() };
}

/** Later requests are answered: the gate has seen the clicks before them, and which of them left. */
async function clicksArrive(url: string): Promise<void> {
  for (let i = 0; i < 10; i++) await (await fetch(url)).arrayBuffer();
}

for (const by of ['code', 'link'] as const) {
  test(`a second click on the page of the ${by}, while the app is slow, gets the answer of the app`, async (t) => {
    const { waiting, signUp } = await openSlowShop(t);
    const signup = await signUp('jane.doe');
    const [url, body] =
      by === 'code' ? [signup.page, `code=${signup.code}`] : [signup.link, 'action=confirm'];

    const first = click(url, body);
    await until(async () => waiting.length === 1);
    const second = click(url, body);
    first.leave();
    const third = click(url, body);
    second.leave();
    t.is(await first.answered, null);
    await clicksArrive(url);
    // A wrong code is no second click.
    if (by === 'code') t.is((await click(url, 'code=000000').answered)?.statusCode, 410);
    waiting[0]?.writeHead(303, { location: '/welcome', 'set-cookie': 'session=1' }).end();

    const answer = await third.answered;
    t.is(answer?.statusCode, 303);
    t.is(answer?.headers.location, '/welcome');
    const cookies = answer?.headers['set-cookie']?.map((cookie) => cookie.split('=', 1)[0]);
    t.deepEqual(cookies, ['session', 'gatekeeper-pass', 'gatekeeper-target']);
    t.is(waiting.length, 1);
    t.is((await click(url, body).answered)?.statusCode, 410);
  });
}

test('an answer for which no click waits is dropped, and the signup is done', async (t) => {
  const { waiting, signUp, running } = await openSlowShop(t);
  const { page, code } = await signUp('jane.doe');
  const only = click(page, `code=${code}`);
  await until(async () => waiting.length === 1);
  only.leave();
  await clicksArrive(page);
  waiting[0]?.writeHead(201).end('x'.repeat(100_000));
  await running.said('a held signup was verified');
  t.regex(running.output(), /"app":"answered","message":"a held signup was verified"/);
  t.is((await click(page, `code=${code}`).answered)?.statusCode, 410);
  t.is(waiting.length, 1);
});

test('when the app gives no answer, the second click hears that the address is confirmed', async (t) => {
  const { waiting, signUp } = await openSlowShop(t);
  const { page, code } = await signUp('jane.doe');
  const first = click(page, `code=${code}`);
  await until(async () => waiting.length === 1);
  const second = click(page, `code=${code}`);
  first.leave();
  await clicksArrive(page);
  waiting[0]?.destroy();
  const answer = await second.answered;
  t.is(answer?.statusCode, 502);
  t.regex(answer?.headers['set-cookie']?.join() ?? '', /^gatekeeper-pass=/);
  t.is(waiting.length, 1);
});
