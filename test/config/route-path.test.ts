import test from 'ava';
import { adviseRoutePath } from '../../src/config/advise-text.ts';
import { routePathProblem } from '../../src/config/route-path.ts';

test('paths of literal segments, parameters and wildcards are accepted', (t) => {
  const good = [
    '/',
    '/signup',
    '/signup/',
    '/a/b.php',
    '/:tenant/signup',
    '/api/*/signup',
    '/join/**',
    '/**',
    '/*',
    '/ünïcode',
    '/a b',
  ];
  for (const path of good) t.is(routePathProblem(path), null, path);
});

test('paths that could never match, or mean something else than they say, are refused', (t) => {
  const bad = [
    '',
    'signup',
    '//signup',
    '/a//b',
    '/a/./b',
    '/..',
    '/a?b',
    '/a#b',
    '/a%20b',
    '/a\\b',
    '/a;b',
    '/a\nb',
  ];
  const worse = [
    '/**/a',
    '/a*',
    '/***',
    '/:',
    '/:a-b',
    '/:a*',
    '/.gatekeeper',
    '/.GateKeeper/verify',
    'http://x/signup',
  ];
  for (const path of [...bad, ...worse]) t.is(typeof routePathProblem(path), 'string', path);
});

const OTHER_SYNTAX: readonly (readonly [written: string, meant: string])[] = [
  ['/users/{id}/signup', '/users/:id/signup'],
  ['/users/{id:int}/signup', '/users/:id/signup'],
  ['/users/<id>', '/users/:id'],
  ['/users/<int:id>/x', '/users/:id/x'],
  ['/[locale]/signup', '/:locale/signup'],
  ['/(auth)/signup', '/signup'],
  ['/api/[...rest]', '/api/**'],
  ['/api/<path:rest>', '/api/**'],
  ['/api/{rest:path}', '/api/**'],
  ['^/signup$', '/signup'],
  ['/signup$', '/signup'],
  ['^/signup/?$', '/signup'],
  ['*', '/**'],
];

for (const [written, meant] of OTHER_SYNTAX) {
  test(`the path ${written} of another program is refused, and ${meant} is proposed`, (t) => {
    t.is(typeof routePathProblem(written), 'string');
    t.is(adviseRoutePath(written), `did you mean "${meant}"?`);
  });
}

test('a path with alternatives or an optional segment gets advice instead of a proposal', (t) => {
  for (const path of ['/(en|de)/signup', '/(en)', '/[a-z]+/signup', '/sign(up|in)'])
    t.regex(adviseRoutePath(path) ?? '', /^write :name for one segment, and no regular expression$/, path);
  for (const path of ['/:lang?/signup', '/:lang?'])
    t.regex(adviseRoutePath(path) ?? '', /needs two routes/, path);
});
