import test from 'ava';
import { routePathProblem } from '../../../src/config/route-path.ts';
import { pathGroup } from '../../../src/gate/watch/watch-passing.ts';

const CASES: readonly [path: string, group: string][] = [
  ['/join', '/join'],
  ['/', '/'],
  ['/api/v1/users', '/api/v1/users'],
  ['/signup.php?email=ann%40example.com#x', '/signup.php'],
  ['/users/4711/invite', '/users/:id/invite'],
  ['/reset/8f3b2a9c0d1e4f5a', '/reset/:id'],
  ['/u/ann@example.com', '/u/:id'],
  ['/u/ann%40example.com', '/u/:id'],
  ['/join/', '/join/'],
  ['//join', '/:id/join'],
  ['/a/b/c/d/e/f/g/h', '/a/b/c/d/e/f/**'],
  ['/<script>', '/:id'],
  ['/odata/$batch', '/odata/$batch'],
  ['/$', '/:id'],
];

for (const [path, group] of CASES) {
  test(`${path} is counted as ${group}`, (t) => {
    t.is(pathGroup(path), group);
    t.is(routePathProblem(group), null);
  });
}
