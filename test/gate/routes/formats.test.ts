import test from 'ava';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';

const kindOf = (configured: string, target: string) =>
  compileRoutes([route(configured)]).match({ method: 'POST', target, rawHeaders: [] }).kind;

const ENDINGS = [
  ...[
    'json',
    'abcdefghijkl',
    'a-b',
    'a:b',
    'a.b',
    '%61',
    'JSON',
    'html',
    'x'.repeat(200),
    'a_b',
    '1',
    '~',
    'a%20b',
  ],
  ...['json/', 'json;x', 'json?x', '.', 'a,b', '%C3%A9', 'json%2eb', '@', '(x)', 'php~'],
];

/** `**` also stands for nothing, so the segment before it may be the last one. */
const CONFIGURED = [
  '/signup',
  '/api/signup',
  '/:lang/signup',
  '/signup.php',
  '/signup.html',
  '/de/signup.do',
  '/*/signup.asp',
  '/signup/**',
  '/:lang/signup/**',
];

for (const configured of CONFIGURED) {
  test(`${configured} is reached in every format`, (t) => {
    const path = configured.replace('/**', '').replace(/:lang|\*/, 'de');
    const stem = path.replace(/\.\w+$/, '');
    for (const ending of ENDINGS) t.is(kindOf(configured, `${stem}.${ending}`), 'gated', ending);
    for (const target of [path, stem, `${stem}.`, `${stem}.php`, stem.toUpperCase()])
      t.is(kindOf(configured, target), 'gated', target);
    for (const target of [`${stem}s`, `${stem}s.php`, `${stem}-php`, `/x${stem}.json`])
      t.is(kindOf(configured, target), 'pass', target);
  });
}

test('the name of a procedure is no format', (t) => {
  for (const target of ['/trpc/auth.signup', '/trpc/auth.signup.json', '/trpc/AUTH.signup?batch=1'])
    t.is(kindOf('/trpc/auth.signup', target), 'gated', target);
  for (const target of ['/trpc/auth', '/trpc/auth.login', '/trpc/auth.signups', '/trpc/auth.json'])
    t.is(kindOf('/trpc/auth.signup', target), 'pass', target);
});

test('a procedure is found at any depth below its folder', (t) => {
  // tRPC's adapter for Express reads only the text after the last slash.
  for (const target of [
    '/trpc/x/auth.signup',
    '/trpc/x/y/auth.signup?batch=1',
    '/trpc/x/user.list,auth.signup',
  ])
    t.is(kindOf('/trpc/auth.signup', target), 'gated', target);
  t.is(kindOf('/:shop/trpc/auth.signup', '/de/trpc/x/auth.signup'), 'gated');
  for (const target of ['/auth.signup', '/x/auth.signup', '/x/user.list,auth.signup', '/auth.signup.json'])
    t.is(kindOf('/auth.signup', target), 'gated', target);
  for (const target of ['/auth', '/auth.login', '/x/auth.login', '/auth.signup/x'])
    t.is(kindOf('/auth.signup', target), 'pass', target);
  for (const target of [
    '/trpc/auth.signup/x',
    '/x/auth.signup',
    '/auth.signup',
    '/trpc/x/auth.login',
    '/trpcx/auth.signup',
  ])
    t.is(kindOf('/trpc/auth.signup', target), 'pass', target);
  t.is(kindOf('/api/signup.php', '/api/x/signup.php'), 'pass');
  t.is(kindOf('/api/signup', '/api/x/signup'), 'pass');
});

test('an action of Astro is found at any depth below its folder', (t) => {
  // Astro reads only the text after the last `/_actions/`.
  for (const target of [
    '/_actions/signup',
    '/_actions/signup/',
    '/_actions/_actions/signup',
    '/_actions/x/_actions/signup?x',
    '/_actions/x.y/_actions/sign%75p',
    '/_actions/a/b/c/_actions/signup',
  ])
    t.is(kindOf('/_actions/signup', target), 'gated', target);
  t.is(kindOf('/shop/_actions/sign-up', '/shop/_actions/x/_actions/sign-up'), 'gated');
  t.is(kindOf('/_actions/:name', '/_actions/x/_actions/signup'), 'gated');
  t.is(kindOf('/_actions/**', '/_actions/x/_actions/signup'), 'gated');
  for (const target of [
    '/_actions',
    '/_actions/login',
    '/_actions/signups',
    '/_actions/x/_actions/login',
    '/_actions/signup/_actions/login',
    '/x/_actions/signup',
    '/signup',
  ])
    t.is(kindOf('/_actions/signup', target), 'pass', target);
});

test('each procedure of a list is an alias', (t) => {
  for (const target of [
    '/trpc/user.list,auth.signup',
    '/trpc/auth.signup,user.list?batch=1',
    '/trpc/user.list%2Cauth.signup',
    '/trpc/a,b,%61uth.signup,c',
    '/trpc/user.list,%20auth.signup',
    '/trpc/,auth.signup,',
    '/trpc/x,auth.signup.json',
    '/TRPC/x,AUTH.SIGNUP',
  ]) {
    t.is(kindOf('/trpc/auth.signup', target), 'gated', target);
  }
  t.is(kindOf('/trpc/:procedure', '/trpc/a,b'), 'gated');
  t.is(kindOf('/signup', '/login,signup'), 'gated');
  for (const target of ['/trpc/user.list,auth.login', '/x,auth.signup', '/trpc,auth.signup/x'])
    t.is(kindOf('/trpc/auth.signup', target), 'pass', target);
});

test('the words of a name may be separated by another sign', (t) => {
  // CakePHP and CodeIgniter read the first two, CherryPy all of them.
  for (const configured of ['/users/sign_up', '/users/sign-up', '/:lang/sign_up', '/users/sign-up.php'])
    for (const target of [
      'sign_up',
      'sign-up',
      'SIGN-UP.json',
      'sign%2Dup',
      'sign.up',
      'sign!up',
      'sign%7Eup',
      "sign'up",
    ])
      t.is(kindOf(configured, `/users/${target}`), 'gated', `${configured} ${target}`);
  for (const target of [
    '/users/signup',
    '/users/sign/up',
    '/users/sign',
    '/users-sign_up',
    '/users/sign_up_x',
  ])
    t.is(kindOf('/users/sign_up', target), 'pass', target);
  t.is(kindOf('/users/signup', '/users/sign-up'), 'pass');
});

test('path info after a script does not bypass the route', (t) => {
  for (const target of ['/signup.php/x', '/signup.cgi/x/y', '/SIGNUP.PHP/', '/signup.php/x.json'])
    t.is(kindOf('/signup', target), 'gated', target);
  for (const target of ['/index.php/x', '/x.php/y', '/signups.php/x', '/index.php/about'])
    t.is(kindOf('/signup', target), 'pass', target);
  t.is(kindOf('/', '/index.php/about'), 'pass');
  // ASP.NET runs a handler (`.ashx`) like a page, with any path after its name.
  for (const configured of ['/signup.ashx', '/signup'])
    for (const target of ['/signup.ashx/x', '/Signup.ASHX/1/y', '/signup.ashx/'])
      t.is(kindOf(configured, target), 'gated', `${configured} ${target}`);
  t.is(kindOf('/signup.ashx', '/other.ashx/x'), 'pass');
});

test('the index file of a folder with path info is the folder', (t) => {
  for (const target of ['/signup/index.php/x', '/signup/default.aspx/x/y', '/Signup/INDEX.PHP/x?y'])
    t.is(kindOf('/signup', target), 'gated', target);
  for (const target of ['/index.php/x', '/other/index.php/x', '/signup/other.php/x'])
    t.is(kindOf('/signup', target), 'pass', target);
});

test('the data of a page is the page, because a POST to it runs the same code', (t) => {
  for (const target of [
    // React Router
    ...[
      '/signup/.data',
      '/signup/_.data',
      '/signup//.data?index',
      '/Signup/_.DATA',
      '/signup/.rsc',
      '/signup/_.rsc',
    ],
    // Qwik, SvelteKit, Next.js, Nuxt
    ...['/signup/q-data.json?qaction=x', '/signup/__data.json', '/_next/data/uMI7d_9y/signup.json'],
    ...['/signup/_payload.json?x', '/signup/_payload.js', '/signup/_payload.abc.json'],
    ...['/signup/_payloadxjson', '/signup/_payload-json', '/signup/_payload?json', '/signup/_payload;json'],
  ])
    t.is(kindOf('/signup', target), 'gated', target);
  for (const target of [
    '/_root.data?index',
    '/.data',
    '/_.data',
    '/q-data.json',
    '/_next/data/uMI7d_9y/index.json',
    ...['/_payload.json', '/_payload?json'],
  ])
    t.is(kindOf('/', target), 'gated', target);
  t.is(kindOf('/:lang/signup', '/_next/data/uMI7d_9y/de/signup.json'), 'gated');
  // Next.js drops the language before it looks for an API route, which has none.
  t.is(kindOf('/api/signup', '/_next/data/uMI7d_9y/de-CH/api/signup.json'), 'gated');
  t.is(kindOf('/base/api/signup', '/base/_next/data/uMI7d_9y/de/api/signup/.json'), 'gated');
  t.is(kindOf('/base/signup', '/base/_next/data/uMI7d_9y/signup.json'), 'gated');
  for (const target of [
    '/signup/x.data',
    '/signup/data.json',
    '/_next/data/signup',
    '/_next/data/uMI7d_9y/x/y/signup.json',
    '/signup/x_payload.json',
    '/signup/_payload/x',
    '/_next/static/x/signup.json',
  ])
    t.is(kindOf('/signup', target), 'pass', target);
});

test('dots before the extension of the data are folders, as React Router reads them', (t) => {
  for (const target of [
    '/signup/..data',
    '/signup/%2e.data',
    '/signup/x/...data?index',
    '/signup/x/%2e%2e.data',
    '/signup/x/y/%2e%2e/%2e%2e.data',
    '/signup//...data',
    '/signup/a.b/...data',
    '/signup/x;y/...data',
  ])
    t.is(kindOf('/signup', target), 'gated', target);
  for (const target of ['/x/...data', '/..data']) t.is(kindOf('/', target), 'gated', target);
  for (const target of ['/signup/x/..data', '/signup/x/....data'])
    t.is(kindOf('/signup', target), 'pass', target);
});

test('a front controller of any kind hands the path after its name to the app', (t) => {
  for (const front of [
    'index.php',
    'index.cfm',
    'index.aspx',
    'default.asp',
    'index.jsp',
    'app.dll',
    'x.exe',
    'a.rb',
    // LemonLDAP::NG behind nginx, and mod_wsgi with `AddHandler wsgi-script .wsgi`.
    'index.psgi',
    'django.wsgi',
  ])
    for (const target of [
      `/${front}/signup`,
      `/cgi-bin/${front}/signup/`,
      `/${front.toUpperCase()}/signup?x`,
    ])
      t.is(kindOf('/signup', target), 'gated', target);
  t.is(kindOf('/shop/signup', '/shop/index.php/signup'), 'gated');
  for (const target of ['/index.html/signup', '/index.txt/signup', '/index.php/x/signup'])
    t.is(kindOf('/signup', target), 'pass', target);
});

test('a route that names its front controller is also reached without the name', (t) => {
  for (const target of [
    ...[
      '/index.php/account/register',
      '/account/register',
      '/Account/Register.html',
      '/app.php/account/register',
    ],
    ...['/index.php?/account/register', '/?/account/register', '/index.php?route=account/register'],
    ...['/index.php/account/register/index', '//account/register', '/account/register;x'],
  ])
    t.is(kindOf('/index.php/account/register', target), 'gated', target);
  for (const target of ['/index.php', '/', '/index.php/account', '/register', '/account/login'])
    t.is(kindOf('/index.php/account/register', target), 'pass', target);
  for (const target of ['/shop/index.php/signup', '/shop/signup', '/shop/index.php?q=signup'])
    t.is(kindOf('/shop/index.php/signup', target), 'gated', target);
  t.is(kindOf('/index.php/:lang/signup', '/de/signup'), 'gated');
  t.is(kindOf('/index.php/**', '/index.php/x'), 'gated');
  for (const configured of ['/index.php/**', '/index.php/*', '/index.php/:page'])
    t.is(kindOf(configured, '/static'), 'pass', configured);
});
