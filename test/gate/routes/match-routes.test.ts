import test from 'ava';
import fc from 'fast-check';
import { compileRoutes, type RouteMatch } from '../../../src/gate/routes/match-routes.ts';
import { rounds } from '../../helpers/rounds.ts';
import { route } from '../../helpers/routes.ts';

const signup = compileRoutes([route('/signup')]);
const kindOf = (target: string, method = 'POST', rawHeaders: readonly string[] = [], matcher = signup) =>
  matcher.match({ method, target, rawHeaders }).kind;

const GATED = [
  '/signup',
  '/signup/',
  '/signup//',
  '/SIGNUP',
  '/Signup',
  '/%73ignup',
  '/sign%75p',
  '/%2573ignup',
  '//signup',
  '///signup',
  '/./signup',
  '/a/../signup',
  '/a/b/../../signup',
  '/%2e/signup',
  '/a/%2e%2e/signup',
  '/a/..;/signup',
  '/../signup',
  '/a//../../signup',
  '/signup;x',
  '/signup;jsessionid=1',
  '/signup;x/',
  '/a;x/../signup',
  '/signup;/x',
  '/signup?x=1',
  '/signup?',
  '/signup?a/b/../..',
  '/signup#x',
  '/signup/.',
  '/signup.',
  '/signup%20',
  '/signup..',
  '/\\signup',
  '/\\\\signup',
  '/signup\\',
  '/a\\..\\signup',
  'http://host/signup',
  'HTTPS://user@host:1/signup?x',
  'http://host//signup',
  'http:\\\\host\\signup',
  '/%EF%BD%93ignup',
  '/%C5%BFignup',
  '/s%C4%B1gnup',
  '/sign%C2%ADup',
  '/signup.json',
  '/index.php/signup',
  '/app/index.php/signup',
  '/signup%3Fx',
  '/signup%3bx',
  '//evil.example/signup',
  '/\\evil.example/signup',
  '///evil.example/%73ignup',
  '/x/..//evil.example/signup',
  'http://host//evil.example/signup',
  '/(S(lit3py55t21z5v55vlm25s55))/signup',
  '/(A(x)S(y)F(z))/signup',
  '/S%C4%B0GNUP',
  '/signup/index.php',
  '/signup/index.html',
  '/signup/index',
  '/Signup/Index/',
  '/signup/index/5',
  '/signup/index.html/',
  '/index.php/signup/index',
  '/signup/%69ndex',
  '/signup/Default.aspx/',
  '/signup.php',
  '/%E2%80%A4/signup',
  '/%EF%BC%8E%EF%BC%8E/signup',
  '/x%EF%BC%8F..%EF%BC%8Fsignup',
  '/%20signup',
  '/%20/signup',
  '/x/..%20/signup',
  '/signup!create',
  '/signup!create.action',
];

for (const target of GATED) {
  test(`POST ${target} is gated`, (t) => {
    t.is(kindOf(target), 'gated');
  });
}

const REFUSED = [
  '/%2fsignup',
  '/x%2f..%2fsignup',
  '/%5csignup',
  '/x%5c..%5csignup',
  '/x%252f..%252fsignup',
  '/signup%00',
  '/signup%00.png',
  '/signup%2500',
  '/signup%0a',
  '/signup%09',
  '/signup%01',
  '/%1fsignup',
  '/signup%',
  '/signup%zz',
  '/sign%ffup',
  '/%c1%b3ignup',
  '/%c0%afsignup',
  '/%e0%81%b3ignup',
  '/%f0%80%81%B3ignup',
  '/sign%f8%80%80%81%b5p',
  '/x/..%fc%80%80%80%80%afsignup',
  '/%u0073ignup',
];

for (const target of REFUSED) {
  test(`POST ${target} is refused, because servers disagree whether it is /signup`, (t) => {
    t.is(kindOf(target), 'refuse');
  });
}

test('white space around any segment and a dot at its end do not bypass the route', (t) => {
  const nested = compileRoutes([route('/api/v1/signup.php')]);
  for (const target of [
    ...['/api./v1/signup.php', '/api/v1./signup.php', '/api%20/v1/signup.php', '/%20api/v1/signup.php'],
    ...['/api/v1/%20signup.php', '/api/%20/v1/signup.php', '/api./v1%20/signup.php.'],
  ])
    t.is(kindOf(target, 'POST', [], nested), 'gated', target);
  for (const target of ['/ap i/v1/signup.php', '/.api/v1/signup.php', '/api!x/v1/signup.php'])
    t.is(kindOf(target, 'POST', [], nested), 'pass', target);
});

const PASSED = [
  '/',
  '/public/signup',
  '/signupx',
  '/signup/extra',
  '/xsignup',
  '/public?/signup',
  '/public?x=/../signup',
  '/sign-up',
  '/signup-now',
  '/files/%2f',
  '/files/%zz',
  '/signup/../other',
  '*',
  '/index.php',
  '/signup/indexes',
  '/signup/reindex',
  '/index/signup',
  '/x/(S(a))',
  '//signup/other',
  `/${'/'.repeat(15_000)}x`,
  `/caf%C3%A9/${'%E3%81%82'.repeat(1_500)}`,
];

for (const target of PASSED) {
  test(`POST ${target.slice(0, 40)} passes`, (t) => {
    t.is(kindOf(target), 'pass');
  });
}

test('HEAD, OPTIONS and other methods pass', (t) => {
  for (const method of ['HEAD', 'OPTIONS', 'GET', 'DELETE']) t.is(kindOf('/signup', method), 'pass');
});

test('a method override in a header or the query is judged as the method it names', (t) => {
  for (const name of [
    'X-HTTP-Method-Override',
    'x-http-method',
    'X-Method-Override',
    'X_HTTP_METHOD_OVERRIDE',
  ]) {
    t.is(kindOf('/signup', 'GET', [name, 'post']), 'gated', name);
  }
  for (const query of [
    '_method=POST',
    '_method=post',
    '%5fmethod=POST',
    'x=1&_METHOD=POST',
    '_metho%64=POST',
  ]) {
    t.is(kindOf(`/signup?${query}`, 'GET'), 'gated', query);
  }
  t.is(kindOf('/signup?_method=DELETE', 'GET'), 'pass');
});

test('a POST whose body may name the method of a route is a candidate that waits for the body', (t) => {
  const matcher = compileRoutes([route('/signup', { methods: ['PUT'] })]);
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json',
  ]) {
    const rawHeaders = ['content-type', type];
    const match = matcher.match({ method: 'POST', target: '/signup', rawHeaders });
    t.like(match, { kind: 'gated', candidates: [{ bodyCondition: 'method field' }] }, type);
    t.is(kindOf('/signup', 'GET', rawHeaders, matcher), 'pass');
  }
  t.is(kindOf('/signup', 'POST', ['Content-Type', 'image/png'], matcher), 'pass');
});

test('a header that can replace the path is read like another target', (t) => {
  for (const name of [
    'X-Original-URL',
    'x-rewrite-url',
    'X-Forwarded-Uri',
    'X_Original_URL',
    'X.Original.URL',
  ]) {
    t.is(kindOf('/', 'POST', [name, '/signup']), 'gated', name);
    t.is(kindOf('/', 'POST', [name, '/a/%2e%2e/SIGNUP']), 'gated', name);
    t.is(kindOf('/', 'POST', [name, '/other']), 'pass', name);
  }
});

test('a header that cuts a prefix off the path is read as its framework reads it', (t) => {
  for (const name of ['SCRIPT_NAME', 'Script-Name', 'X-Script-Name']) {
    t.is(kindOf('/x/signup', 'POST', [name, '/x']), 'gated', name);
    t.is(kindOf('/x/signup', 'POST', [name, '/x/']), 'gated', name);
    t.is(kindOf('/x/%73ignup', 'POST', [name, '/x']), 'gated', name);
    t.is(kindOf('/x/other', 'POST', [name, '/x']), 'pass', name);
    t.is(kindOf('/x/signup', 'POST', [name, '/y']), 'pass', name);
  }
  t.is(kindOf('/x', 'POST', ['PATH_INFO', '/signup']), 'gated');
});

test('bytes of a header that spell a path in UTF-8 are read as that', (t) => {
  const value = Buffer.from('/\u017fignup').toString('latin1');
  t.is(kindOf('/', 'POST', ['X-Original-URL', value]), 'gated');
});

test('our own prefix is ours in every spelling and never forwarded', (t) => {
  for (const target of [
    '/.gatekeeper/verify/x',
    '/.GateKeeper',
    '//.gatekeeper/',
    '/%2egatekeeper/x',
    '/a/../.gatekeeper/x',
    '/.gatekeeper;x/y',
    '/%252egatekeeper/x',
    '/.gatekeepe%2572/x',
    '/.%67atekeeper',
    '/%EF%BC%8Egatekeeper/x',
    '/x/%2e%2e/.gatekeeper/x',
    '/.%ef%bd%87atekeeper',
    '/%u002egatekeeper',
  ]) {
    t.is(kindOf(target, 'GET'), 'own', target);
  }
  t.is(kindOf('/x/.gatekeeper/y', 'GET'), 'pass');
});

test('a placeholder matches one segment, two stars the rest', (t) => {
  const matcher = compileRoutes([route('/:lang/join'), route('/teams/*/members'), route('/api/**')]);
  const name = (match: RouteMatch) =>
    match.kind === 'gated' ? match.candidates.map((c) => c.route.path) : match.kind;
  const match = (target: string) => name(matcher.match({ method: 'POST', target, rawHeaders: [] }));
  t.deepEqual(match('/de/join'), ['/:lang/join']);
  t.deepEqual(match('/de/JOIN/'), ['/:lang/join']);
  t.is(match('/de/x/join'), 'pass');
  t.deepEqual(match('/teams/7/members'), ['/teams/*/members']);
  t.deepEqual(match('/api/v1/users'), ['/api/**']);
  t.deepEqual(match('/api/join'), ['/:lang/join', '/api/**']);
});

test('a script is reached with path info behind it', (t) => {
  const matcher = compileRoutes([route('/signup.php')]);
  for (const target of ['/signup.php', '/signup.php/', '/signup.php/x/y', '/SIGNUP.PHP/x']) {
    t.is(kindOf(target, 'POST', [], matcher), 'gated', target);
  }
  t.is(kindOf('/signups.php', 'POST', [], matcher), 'pass');
});

test('a script is reached without its ending, and an index file by its folder', (t) => {
  const script = compileRoutes([route('/app/signup.php'), route('/:lang/join.php')]);
  for (const target of ['/app/signup', '/app/signup/', '/app/signup/x', '/app/SIGNUP', '/de/join.php/x']) {
    t.is(kindOf(target, 'POST', [], script), 'gated', target);
  }
  for (const target of ['/app/signups', '/app/signups.php', '/app', '/de/x/join.php']) {
    t.is(kindOf(target, 'POST', [], script), 'pass', target);
  }
  const index = compileRoutes([route('/join/index.php')]);
  for (const target of [
    '/join',
    '/join/',
    '/join/index.php',
    '/join/index',
    '/join/index.php/x',
    '//join//',
  ]) {
    t.is(kindOf(target, 'POST', [], index), 'gated', target);
  }
  for (const target of ['/', '/join/other', '/join/index2.php']) {
    t.is(kindOf(target, 'POST', [], index), 'pass', target);
  }
  t.is(kindOf('/', 'POST', [], compileRoutes([route('/index.php')])), 'gated');
  t.is(kindOf('/index.php', 'POST', [], compileRoutes([route('/')])), 'gated');
});

test('a path written with escapes, capitals or accents in the configuration matches its spellings', (t) => {
  const matcher = compileRoutes([route('/Caf%C3%A9/Join/')]);
  for (const target of ['/caf%c3%a9/join', '/CAF%C3%89/join', '/cafe%CC%81/join']) {
    t.is(kindOf(target, 'POST', [], matcher), 'gated', target);
  }
});

test('a path with too many variants is refused near a signup route, and passes elsewhere', (t) => {
  const many = `/${'%25'.repeat(100)}2e;a\\..//;/%5c/${'%u0041;/.%c0%ae%00\\?#'.repeat(40)}`;
  const match = signup.match({ method: 'POST', target: many, rawHeaders: [] });
  t.like(match, {
    kind: 'refuse',
    candidates: [{ source: 'the target' }],
  });
  t.is(kindOf(many, 'GET'), 'pass');
  t.is(kindOf(many, 'PUT'), 'pass');
  t.is(kindOf(`/${'a;/../'.repeat(300)}signup`), 'gated');
});

test('any mix of spellings that decodes to the route is gated or refused', (t) => {
  const letter = (c: string) =>
    fc.constantFrom(
      c,
      c.toUpperCase(),
      `%${c.charCodeAt(0).toString(16)}`,
      `%25${c.charCodeAt(0).toString(16)}`,
    );
  const word = fc.tuple(...[...'signup'].map(letter)).map((letters) => letters.join(''));
  const before = fc.constantFrom(
    '/',
    '//',
    '/./',
    '/x/../',
    '/x/..;y/',
    '/\\',
    '/x\\..\\',
    '/%2e%2e/',
    '/x;y/../',
    '//host/',
    '/\\host/',
    '/(S(a))/',
    '/index.php/',
  );
  const after = fc.constantFrom(
    '',
    '/',
    ';x',
    '/.',
    '//',
    '?q',
    '%20',
    '.',
    ';a/b/..',
    '/x/..',
    '.json',
    '/index.php',
  );
  fc.assert(
    fc.property(before, word, after, (start, middle, end) => {
      t.not(kindOf(`${start}${middle}${end}`), 'pass', `${start}${middle}${end}`);
    }),
    { numRuns: rounds(2000) },
  );
});
