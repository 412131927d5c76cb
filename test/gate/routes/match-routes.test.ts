import test from 'ava';
import { compileRoutes, type RouteMatch } from '../../../src/gate/routes/match-routes.ts';
import { route } from '../../helpers/routes.ts';
import { kindOf, signup } from './kind-of.ts';

test('HEAD, OPTIONS and other methods pass', (t) => {
  for (const method of ['HEAD', 'OPTIONS', 'GET', 'DELETE']) t.is(kindOf('/signup', method), 'pass');
});

test('a route with GET judges HEAD too, which runs the same handler', (t) => {
  const matcher = compileRoutes([route('/signup', { methods: ['GET', 'POST'] })]);
  for (const method of ['GET', 'HEAD'])
    t.is(kindOf('/signup?email=jane@corp.example', method, [], matcher), 'gated', method);
  t.is(kindOf('/signup', 'OPTIONS', [], matcher), 'pass');
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
