import test from 'ava';
import fc from 'fast-check';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { rounds } from '../../helpers/rounds.ts';
import { route } from '../../helpers/routes.ts';
import { kindOf } from './kind-of.ts';

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
  '/signup$',
  '/signup%24',
  '/signup$/x',
  '/x/../signup%24/x/y',
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
  '/signup$x',
  '/signup/$count',
  '/signup/extra$',
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
