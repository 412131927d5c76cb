import test from 'ava';
import { createUnjudgedSignups } from '../../../src/gate/watch/unjudged-signups.ts';

test('counts by method and path, most frequent first', (t) => {
  let now = 1_000;
  const unjudged = createUnjudgedSignups(() => now);
  t.true(unjudged.add({ method: 'POST', path: '/a', email: 'email' }));
  t.true(unjudged.add({ method: 'POST', path: '/b', email: 'user.email' }));
  now = 2_000;
  t.false(unjudged.add({ method: 'POST', path: '/b', email: 'user.email' }));
  t.true(unjudged.add({ method: 'PUT', path: '/b', email: 'email' }));
  t.deepEqual(
    unjudged.list().map(({ method, path, count }) => `${method} ${path} ${count}`),
    ['POST /b 2', 'POST /a 1', 'PUT /b 1'],
  );
  t.like(unjudged.list()[0], { lastAt: 2_000 });
});

test('a flood of paths needs bounded memory and keeps the frequent ones', (t) => {
  const unjudged = createUnjudgedSignups(() => 0);
  for (let i = 0; i < 5; i++) unjudged.add({ method: 'POST', path: '/join', email: 'email' });
  for (let i = 0; i < 10_000; i++) unjudged.add({ method: 'POST', path: `/x${i}`, email: 'email' });
  t.is(unjudged.list().length, 200);
  t.like(unjudged.list()[0], { path: '/join', count: 5 });
});
