import test from 'ava';
import { unreadPage } from '../../../src/gate/pages/unread-page.ts';
import { LANGUAGES } from '../../../src/web/languages.ts';
import { openGateServer } from '../gate-server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

for (const language of LANGUAGES) {
  test(`the page in "${language}" says what to do, and shows the request id`, (t) => {
    const facts = { language, requestId: 'the-id' };
    const pages = [unreadPage('tooLarge', facts).html, unreadPage('unclear', facts).html];
    for (const html of pages) {
      t.true(html.includes(`<html lang="${language}">`));
      t.is(html.match(/<h1>/g)?.length, 1);
      t.true(html.includes('<code>the-id</code>'));
    }
    t.is(new Set(pages).size, 2);
  });
}

test('no two languages say the same', (t) => {
  const pages = LANGUAGES.map((language) => unreadPage('unclear', { language, requestId: '' }).html);
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
