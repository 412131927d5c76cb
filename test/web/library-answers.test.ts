import test from 'ava';
import {
  errorForLibrary,
  headersForHtmx,
  isInTurboFrame,
  pageForTurbo,
  pageOfQwik,
  pageOfRouter,
  redirectForLibrary,
} from '../../src/web/library-answers.ts';

const META = '<meta name="turbo-visit-control" content="reload">';

for (const [html, expected] of [
  ['<html><head><title>a</title></head>', `<html><head>${META}<title>a</title></head>`],
  ['<HEAD lang="en">$& x', `<HEAD lang="en">${META}$& x`],
  ['<header>no head</header>', '<header>no head</header>'],
] as const) {
  test(`Turbo loads the page ${html} as a whole where it has a head`, (t) => {
    t.deepEqual(pageForTurbo({ html, policy: 'p' }), { html: expected, policy: 'p' });
  });
}

test('a frame of Turbo has a name in the request', (t) => {
  t.true(isInTurboFrame({ 'turbo-frame': 'signup' }));
  t.false(isInTurboFrame({ accept: 'text/html' }));
});

test('only htmx is led to the page', (t) => {
  t.deepEqual(headersForHtmx({ 'hx-request': 'true' }, '/page'), ['HX-Redirect', '/page']);
  t.deepEqual(headersForHtmx({}, '/page'), []);
});

const URL_OF_PAGE = 'https://app.example/page?a=1;b';
const JSON_TYPE = ['Content-Type', 'application/json'];

for (const [library, headers, target, expected] of [
  [
    ...(['Next.js', { 'next-action': '40ab', accept: 'text/x-component' }, '/signup'] as const),
    { status: 303, headers: ['X-Action-Redirect', 'https://app.example/page?a=1%3Bb'], body: '' },
  ],
  [
    ...(['SvelteKit', { 'x-sveltekit-action': 'true', accept: 'application/json' }, '/signup'] as const),
    {
      status: 200,
      headers: JSON_TYPE,
      body: `{"type":"redirect","status":303,"location":"${URL_OF_PAGE}"}`,
    },
  ],
  [
    ...(['Inertia', { 'x-inertia': 'true', accept: 'text/html, application/xhtml+xml' }, '/signup'] as const),
    { status: 409, headers: ['X-Inertia-Location', URL_OF_PAGE], body: '' },
  ],
  [
    ...(['React Router', { accept: '*/*' }, '/signup.data?index'] as const),
    {
      ...{
        status: 202,
        headers: ['Content-Type', 'text/x-script; charset=utf-8', 'X-Remix-Response', 'yes'],
      },
      body: `[{"_1":2,"_3":4,"_5":6,"_7":8,"_9":6},"redirect","${URL_OF_PAGE}","status",302,"revalidate",false,"reload",true,"replace"]`,
    },
  ],
  [
    ...(['Qwik', { accept: '*/*' }, '/signup/q-data.json?qaction=1'] as const),
    { status: 303, headers: ['Location', URL_OF_PAGE], body: '' },
  ],
  ['a program', { accept: '*/*' }, '/signup', null],
  ['a program that asks for JSON', { accept: 'application/json' }, '/signup.data', null],
  ['a browser', { accept: 'text/html' }, '/signup', null],
] as const) {
  test(`${library} ${expected === null ? 'is not led' : 'is led'} to a page in words of its own`, (t) => {
    t.deepEqual(redirectForLibrary({ headers, url: target }, URL_OF_PAGE), expected);
  });
}

test('Next.js and SvelteKit show an error of the form', (t) => {
  const error = { status: 403, message: 'Refused' };
  t.deepEqual(errorForLibrary({ 'next-action': '40ab' }, error), {
    ...{ status: 403, headers: ['Content-Type', 'text/plain'], body: 'Refused' },
  });
  t.deepEqual(errorForLibrary({ 'x-sveltekit-action': 'true' }, error), {
    ...{ status: 403, headers: JSON_TYPE },
    body: '{"type":"error","error":{"status":403,"message":"Refused"}}',
  });
  t.is(errorForLibrary({ accept: '*/*' }, error), null);
});

for (const [path, page] of [
  ['/signup.data', '/signup'],
  ['/a/signup.data?index&x=.data', '/a/signup?index&x=.data'],
  ['/_root.data?index', '/?index'],
  ['/_root.data', '/'],
  ['/signup/_.data', '/signup/'],
  ['/signup', null],
  ['/signup.database', null],
  ['/signup?x=.data', null],
] as const) {
  test(`React Router requests at ${path} the data of ${page ?? 'no page'}`, (t) => {
    t.is(pageOfRouter(path), page);
  });
}

test('Qwik requests the data of a page below it', (t) => {
  t.is(pageOfQwik('/signup/q-data.json?qaction=1'), '/signup/?qaction=1');
  t.is(pageOfQwik('/q-data.json'), '/');
  t.is(pageOfQwik('/signup/q-data.json/'), null);
  t.is(pageOfQwik('/signup?x=/q-data.json'), null);
});
