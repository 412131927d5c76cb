import test from 'ava';
import fc from 'fast-check';
import { FORMATS } from '../../src/config/formats.ts';
import { routePathProblem } from '../../src/config/route-path.ts';
import { nameRoutes } from '../../src/config/spell-out.ts';

const named = (...routes: readonly { readonly path: string; readonly name?: string }[]) =>
  nameRoutes(routes.map(({ path, name = null }) => ({ path, name }))).map(({ name }) => name);

const cases: Readonly<Record<string, string>> = {
  '/signup': 'signup',
  '/SignUp/': 'signup',
  '/users/:id/register': 'users-id-register',
  '/': 'root',
  '/api/*/signup': 'api-any-signup',
  '/join/**': 'join-all',
  '/**': 'all',
  '/sign_up.php': 'sign_up.php',
  '/.well-known/join': 'well-known-join',
  '/anmelden für': 'anmelden-für',
  '/登録': '登録',
  '/@': 'route',
};
for (const [path, name] of Object.entries(cases)) {
  test(`a route for ${path} that has no name is called ${name}`, (t) => {
    t.deepEqual(named({ path }), [name]);
  });
}

test('names of the file stay, and others make room for them', (t) => {
  t.deepEqual(named({ path: '/a' }, { path: '/b', name: 'A' }, { path: '/a/' }, { path: '/a-2' }), [
    'a-2',
    'A',
    'a-3',
    'a-2-2',
  ]);
});

test('a thousand routes of one path have a thousand names', (t) => {
  t.is(new Set(named(...Array.from({ length: 1_000 }, () => ({ path: '/graphql' })))).size, 1_000);
});

test('every path makes a name that a file could hold, the same each time', (t) => {
  const path = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => `/${text}`);
  fc.assert(
    fc.property(fc.array(path, { maxLength: 5 }), (paths) => {
      const routes = paths.filter((text) => routePathProblem(text) === null).map((text) => ({ path: text }));
      const names = named(...routes);
      t.deepEqual(names, named(...routes));
      t.is(new Set(names.map((name) => name?.toLowerCase())).size, routes.length);
      for (const name of names) t.true(FORMATS.name.accepts(name ?? ''), String(name));
    }),
  );
});
