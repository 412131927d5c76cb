import test from 'ava';
import fc from 'fast-check';
import { replayedAnswerHeaders } from '../../src/gate/replayed-answer.ts';

for (const [cookie, path, expected] of [
  ['a=1', '/signup', 'a=1; Path=/'],
  ['a=1', '/shop/signup?x=/y/', 'a=1; Path=/shop'],
  ['a=1', '/shop/signup/', 'a=1; Path=/shop/signup'],
  ['a=1; HttpOnly', '/shop/', 'a=1; HttpOnly; Path=/shop'],
  ['a=1; path=/', '/shop/signup', 'a=1; path=/'],
  ['a=1; PATH = /x ; Secure', '/shop/signup', 'a=1; PATH = /x ; Secure'],
  ['a=1; Path=', '/shop/signup', 'a=1; Path=; Path=/shop'],
  ['a=1; Path=/x; Path=', '/shop/signup', 'a=1; Path=/x; Path=; Path=/shop'],
  ['path=/', '/shop/signup', 'path=/; Path=/shop'],
  ['a=1', '/a;b/signup', 'a=1; Path=/'],
] as const) {
  test(`the cookie "${cookie}" of an answer at ${path} becomes "${expected}"`, (t) => {
    t.deepEqual(replayedAnswerHeaders(['Set-Cookie', cookie], path), ['Set-Cookie', expected]);
  });
}

for (const [location, path, expected] of [
  ['/welcome', '/a/signup', '/welcome'],
  ['welcome?x=1#y', '/a/signup', '/a/welcome?x=1#y'],
  ['../welcome', '/a/b/signup', '/a/welcome'],
  ['?done=1', '/a/signup?x=2', '/a/signup?done=1'],
  ['https://other.example/x', '/signup', 'https://other.example/x'],
  ['//other.example/x', '/signup', '//other.example/x'],
  ['app:open', '/signup', 'app:open'],
  ['welcome', '//other.example/signup', '/other.example/welcome'],
] as const) {
  test(`a redirect to ${location} from ${path} leads to ${expected}`, (t) => {
    t.deepEqual(replayedAnswerHeaders(['LOCATION', location], path), ['LOCATION', expected]);
  });
}

for (const [name, value, refresh] of [
  ['HX-Redirect', '/welcome', ['Refresh', '0; url=/welcome']],
  ['hx-redirect', 'welcome', ['Refresh', '0; url=/a/welcome']],
  ['HX-Location', '/welcome?x=1;y', ['Refresh', '0; url=/welcome?x=1;y']],
  ['HX-Location', '{"path":"/welcome","target":"#main"}', []],
] as const) {
  test(`a browser that gets ${name}: ${value} for htmx gets ${refresh.length === 0 ? 'nothing else' : refresh[1]}`, (t) => {
    t.deepEqual(replayedAnswerHeaders(['Via', 'x', name, value], '/a/signup'), [
      'Via',
      'x',
      name,
      value,
      ...refresh,
    ]);
  });
}

test('a redirect for the script of Qwik leads a browser to the page', (t) => {
  const refresh = ['Refresh', '0; url=/signup/'];
  for (const [location, page] of [
    ['/welcome/q-data.json', '/welcome/'],
    ['https://other.example/', 'https://other.example/'],
  ] as const)
    t.deepEqual(replayedAnswerHeaders(['Location', location], '/signup/q-data.json'), [
      ...['Location', page],
      ...refresh,
    ]);
  const other = ['Location', '/welcome/q-data.json'];
  t.deepEqual(replayedAnswerHeaders(other, '/signup/'), other);
});

test('a browser that gets the redirect of Inertia follows it', (t) => {
  const answer = ['X-Inertia-Location', 'https://other.example/'];
  t.deepEqual(replayedAnswerHeaders(answer, '/a/signup'), [
    ...answer,
    ...['Refresh', '0; url=https://other.example/'],
  ]);
});

for (const [what, answer, path, page] of [
  [
    'the redirect of an action',
    ['Content-Type', 'text/x-component', 'x-action-redirect', '/welcome;push'],
    '/signup',
    '/welcome',
  ],
  ['a redirect without a word', ['X-Action-Redirect', 'welcome'], '/a/signup', '/a/welcome'],
  ['a redirect below the page', ['X-Action-Redirect', './welcome;push'], '/signup?a=1', '/signup/welcome'],
  ['a redirect above a page', ['X-Action-Redirect', '../welcome;push'], '/a/signup/', '/a/welcome'],
  ['a redirect below an odd path', ['X-Action-Redirect', './'], '/\\evil.example', '/evil.example/'],
  ['the data of an action', ['Content-Type', 'text/x-component'], '/signup?plan=free', '/signup?plan=free'],
  [
    'the data of an action at an odd path',
    ['Content-Type', 'text/x-component'],
    '/\\\\evil.example/',
    '/evil.example/',
  ],
  ['the data of React Router', ['X-Remix-Response', 'yes'], '/signup.data', '/signup'],
  ['the data of React Router at another path', ['X-Remix-Response', 'yes'], '/signup', null],
  ['the data of Qwik', ['Content-Type', 'application/json'], '/a/q-data.json?qaction=1', '/a/?qaction=1'],
  ['data', ['Content-Type', 'application/json'], '/signup.data', null],
] as const) {
  test(`a browser that gets ${what} ${page === null ? 'stays there' : `goes to ${page}`}`, (t) => {
    const refresh = page === null ? [] : ['Refresh', `0; url=${page}`];
    t.deepEqual(replayedAnswerHeaders(answer, path), [...answer, ...refresh]);
  });
}

test('all other fields stay as they are, in their order', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('Via', 'X-Path', 'Cookie', 'Link'), fc.string())),
      (pairs) => {
        const headers = pairs.flat();
        t.deepEqual(replayedAnswerHeaders(headers, '/a/b'), headers);
      },
    ),
  );
});
