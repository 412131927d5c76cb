import test from 'ava';
import { unreadPage } from '../../../src/gate/pages/unread-page.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { UNNAMED_SITE } from '../../../src/web/site.ts';
import { exchange } from '../../http/raw-client.ts';
import { openGateServer } from '../gate-server.ts';

const PLACE = { site: UNNAMED_SITE, publicUrl: null };
const REASONS = ['tooLarge', 'unclear', 'tooSlow', 'busy'] as const;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

for (const language of LANGUAGES) {
  test(`the page in "${language}" says what to do, and shows the request id`, (t) => {
    const facts = { ...PLACE, language, requestId: 'the-id', reference: null };
    const pages = REASONS.map((reason) => unreadPage(reason, facts).html);
    for (const html of pages) {
      t.true(html.includes(`<html lang="${language}">`));
      t.is(html.match(/<h1>/g)?.length, 1);
      t.true(html.includes('<code>the-id</code>'));
    }
    t.is(new Set(pages).size, REASONS.length);
  });
}

test('no two languages say the same', (t) => {
  const pages = LANGUAGES.map(
    (language) => unreadPage('unclear', { ...PLACE, language, requestId: '', reference: null }).html,
  );
  t.is(new Set(pages).size, LANGUAGES.length);
});

const REFUSED: readonly (readonly [status: number, type: string, body: string])[] = [
  [400, 'application/x-www-form-urlencoded', 'email=a%40b.co&email=c%40d.co'],
  [400, 'application/json', '{'],
  [413, 'application/json', JSON.stringify({ email: 'a@b.co', x: 'x'.repeat(1_100_000) })],
  [415, 'text/plain', 'email=a@b.co'],
];

for (const [status, type, body] of REFUSED) {
  test(`a body that is refused with ${status} as ${type} is a page for browsers and a problem for programs`, async (t) => {
    const server = await openGateServer(t);
    const send = (headers: Record<string, string>) =>
      fetch(`${server.url}/signup`, { method: 'POST', body, headers: { 'content-type': type, ...headers } });
    const page = await send({ accept: BROWSER, 'accept-language': 'de-AT,de;q=0.9' });
    t.is(page.status, status);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
    t.is(page.headers.get('content-language'), 'de');
    t.is(page.headers.get('cache-control'), 'no-store');
    const html = await page.text();
    t.true(html.includes('Formular'));
    t.true(html.includes(page.headers.get('x-request-id') ?? 'missing'));
    const problem = await send({ accept: 'application/json' });
    t.is(problem.status, status);
    t.is(problem.headers.get('content-type'), 'application/problem+json');
    t.is(server.upstream.connections, 0);
  });
}

test('a browser whose signup is shed gets a page that says when to try again', async (t) => {
  const server = await openGateServer(t, { lag: () => 2 });
  const send = (accept: string) =>
    fetch(`${server.url}/signup`, { method: 'POST', body: 'email=a%40b.co', headers: { accept } });
  const page = await send(BROWSER);
  t.is(page.status, 503);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(page.headers.get('retry-after'), '1');
  t.true((await page.text()).includes('wait a minute'));
  const problem = await send('application/json');
  t.is(problem.headers.get('content-type'), 'application/problem+json');
  t.is(problem.headers.get('retry-after'), '1');
});

test('a browser whose signup stalls gets a page with status 408', async (t) => {
  const server = await openGateServer(t, { limits: { body_timeout: 150 } });
  const head = ['POST /signup HTTP/1.1', 'Host: a', 'Content-Type: application/x-www-form-urlencoded'];
  const { answers } = await exchange(
    Number(new URL(server.url).port),
    `${[...head, `Accept: ${BROWSER}`, 'Content-Length: 900'].join('\r\n')}\r\n\r\nemail=`,
  );
  t.is(answers[0]?.status, 408);
  t.true(answers[0]?.body.includes('took too long to arrive'));
});
