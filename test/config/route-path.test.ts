import test from 'ava';
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
