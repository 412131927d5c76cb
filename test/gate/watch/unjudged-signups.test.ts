import test from 'ava';
import { createUnjudgedSignups } from '../../../src/gate/watch/unjudged-signups.ts';

test('counts by method and path, most frequent first', (t) => {
  let now = 1_000;
  const unjudged = createUnjudgedSignups(() => now);
  t.true(unjudged.add({ method: 'POST', path: '/a', email: 'email', isReadable: true, sharesPath: false }));
  t.true(
    unjudged.add({ method: 'POST', path: '/b', email: 'user.email', isReadable: true, sharesPath: true }),
  );
  now = 2_000;
  t.false(
    unjudged.add({ method: 'POST', path: '/b', email: 'user.email', isReadable: true, sharesPath: false }),
  );
  t.true(unjudged.add({ method: 'PUT', path: '/b', email: 'email', isReadable: true, sharesPath: false }));
  t.deepEqual(
    unjudged.list().map(({ method, path, count }) => `${method} ${path} ${count}`),
    ['POST /b 2', 'POST /a 1', 'PUT /b 1'],
  );
  t.like(unjudged.list()[0], { sharesPath: true, lastAt: 2_000 });
});

test('a flood of paths needs bounded memory and keeps the frequent ones', (t) => {
  const unjudged = createUnjudgedSignups(() => 0);
  for (let i = 0; i < 5; i++)
    unjudged.add({ method: 'POST', path: '/join', email: 'email', isReadable: true, sharesPath: false });
  for (let i = 0; i < 10_000; i++)
    unjudged.add({ method: 'POST', path: `/x${i}`, email: 'email', isReadable: true, sharesPath: false });
  t.is(unjudged.list().length, 200);
  t.like(unjudged.list()[0], { path: '/join', count: 5 });
});

test('the place that a route can find wins, whichever came first', (t) => {
  const seen = { method: 'POST', path: '/join', sharesPath: false };
  const readable = { ...seen, email: 'email', isReadable: true };
  const unreadable = { ...seen, email: 'query.email', isReadable: false };
  for (const order of [
    [readable, unreadable],
    [unreadable, readable],
  ]) {
    const unjudged = createUnjudgedSignups(() => 0);
    for (const one of order) unjudged.add(one);
    t.like(unjudged.list()[0], { email: 'email', isReadable: true, count: 2 });
  }
});
