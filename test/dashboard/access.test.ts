import test from 'ava';
import { safeReturnPath } from '../../src/dashboard/access.ts';
import { startAccountServer } from './accounts/account-server.ts';
import { textOf } from './accounts/cookie-browser.ts';

for (const path of ['/', '/decisions?level=high&cursor=a%20b', '/keys/1', '/a//b']) {
  test(`after signing in, ${path} is a valid page to return to`, (t) => {
    t.is(safeReturnPath(path), path);
  });
}

for (const path of [
  undefined,
  '',
  'keys',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/a\r\nSet-Cookie: x=1',
  '/ü',
  ' /keys',
]) {
  test(`signing in never redirects to ${JSON.stringify(path)}`, (t) => {
    t.is(safeReturnPath(path), '/');
  });
}

test('a form that is sent after the end of the session leads back to its page, and says that nothing changed', async (t) => {
  const { browser, url } = await startAccountServer(t);
  for (const [referer, next] of [
    [`${url}/keys?text=shop`, '/keys?text=shop'],
    ['', '/'],
    ['nonsense', '/'],
  ] as const) {
    const visitor = browser();
    const { status, location } = await visitor.send({
      ...{ method: 'POST', path: '/keys', body: 'name=shop' },
      headers: {
        ...{ origin: url, 'sec-fetch-site': 'same-origin', referer },
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    t.is(status, 303);
    t.is(location, `/sign-in?next=${encodeURIComponent(next)}&unsaved=1`);
    const page = await visitor.get(location ?? '');
    t.regex(textOf(page), /Your session has ended, so nothing was changed/);
    t.true(page.body.includes(`name="next" value="${next}"`));
  }
});
