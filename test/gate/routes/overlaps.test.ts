import test from 'ava';
import { findOverlaps } from '../../../src/gate/routes/overlaps.ts';
import { route } from '../../helpers/routes.ts';

test('routes that no request can match together are no overlap', (t) => {
  t.deepEqual(findOverlaps([route('/signup'), route('/join'), route('/a/*'), route('/b/**')]), []);
  t.deepEqual(findOverlaps([route('/signup'), route('/signup', { methods: ['PUT'] })]), []);
  t.deepEqual(
    findOverlaps([
      route('/graphql', { when: { op: 'SignUp' } }),
      route('/graphql', { when: { op: 'Join' } }),
    ]),
    [],
  );
});

test('a route that an earlier one covers is reported as never reached', (t) => {
  for (const [wide, narrow] of [
    ['/signup', '/Signup/'],
    ['/signup', '/index.php/signup'],
    ['/sign-up', '/sign_up'],
    ['/**', '/signup'],
    ['/:lang/join', '/de/join'],
    ['/api/**', '/api/v1/*'],
  ] as const) {
    const [warning, ...more] = findOverlaps([route(wide, { name: 'a' }), route(narrow, { name: 'b' })]);
    t.is(warning, 'route "b" is never reached: "a" comes before it and matches the same requests', wide);
    t.deepEqual(more, []);
  }
});

test('two routes that one request can match are reported as overlapping, and the first decides', (t) => {
  for (const [a, b] of [
    ['/de/join', '/:lang/join'],
    ['/:lang/join', '/de/:what'],
    ['/api/v1/*', '/api/**'],
  ] as const) {
    t.deepEqual(findOverlaps([route(a, { name: 'a' }), route(b, { name: 'b' })]), [
      'routes "a" and "b" overlap: where both match, "a" decides',
    ]);
  }
  const narrow = route('/graphql', { name: 'a', when: { op: 'SignUp' } });
  t.is(findOverlaps([narrow, route('/graphql', { name: 'b' })]).length, 1);
});
