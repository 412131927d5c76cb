import test from 'ava';
import { latePaths } from '../../../src/gate/routes/late-paths.ts';
import { compileRoutes } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';

const matcher = compileRoutes([route('/signup'), route('/api/join')]);
const match = (target: string, host: string | null, method = 'POST') => {
  const rawHeaders = ['Content-Length', '9', ...(host === null ? [] : ['Host', host])];
  return matcher.match({ method, target, rawHeaders });
};

/** Elysia 1.4 on Bun 1.4 ran its handler of `/signup` for each of these. */
const READ_AS_SIGNUP: readonly (readonly [host: string, target: string])[] = [
  ['a', '/xx/signup'],
  ['a', '/x?/signup'],
  ['a', '/x;/signup'],
  ['a', '/x#/signup'],
  ['a', '/x?y=1/signup?z'],
  ['ab', '/x/signup'],
  ['ab', '/?/signup'],
  ['abc', '/x/signup'],
  ['abc', '/?next=/signup'],
  ['a:1', '/x/signup'],
  ['a', '/xx/%73ignup/'],
  ['a', '/xx/api/join'],
  ['app.example', 'http://a/xx/signup'],
  ['app.example', 'http://ab?x/signup'],
];

test('behind a short host, a path that begins later counts when the request has the email', (t) => {
  for (const [host, target] of READ_AS_SIGNUP) {
    const found = match(target, host);
    t.is(found.kind, 'gated', `${host} ${target}`);
    t.is(found.kind === 'gated' && found.candidates[0]?.bodyCondition, 'email field', `${host} ${target}`);
  }
});

test('a request without a host has no later paths, because the app gets the host of the upstream', (t) => {
  for (const target of ['/x/signup', '/xx/signup', '/?x/signup'])
    t.is(match(target, null).kind, 'pass', target);
});

test('behind a usual host, a path begins at its first slash', (t) => {
  for (const host of ['app.example', 'shop', '[::1]', 'a.b:80']) {
    t.is(match('/x/signup', host).kind, 'pass', host);
    t.is(match('/xx?/signup', host).kind, 'pass', host);
  }
  t.is(match('http://shop.example/x/signup', 'a').kind, 'pass');
});

test('the path itself counts with any body, whatever the host', (t) => {
  for (const host of ['a', 'abc', 'app.example']) {
    const found = match('/signup', host);
    t.is(found.kind === 'gated' && found.candidates[0]?.bodyCondition, 'none', host);
  }
  t.is(match('/pricing', 'abc').kind, 'pass');
});

test('at most two later paths are read', (t) => {
  t.deepEqual(latePaths('/a/b/c/d', 'a'), ['/b/c/d', '/c/d']);
  t.deepEqual(latePaths('/a/b/c/d', 'abc'), ['/b/c/d']);
  t.deepEqual(latePaths('/abcdef/signup', 'a'), ['/signup']);
  t.deepEqual(latePaths('/signup', 'a'), []);
});
