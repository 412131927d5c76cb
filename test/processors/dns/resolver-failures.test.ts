import test from 'ava';
import { createBoundedResolver } from '../../../src/processors/dns/bounded-resolver.ts';
import { startDnsServer } from '../../helpers/dns-server.ts';
import { asked, resolverOver } from './resolver-over.ts';

test('a failing server is unknown, not none', async (t) => {
  const { resolver } = await resolverOver(t, { 'broken.example': 'servfail' });
  t.deepEqual(await resolver.mx('broken.example'), { state: 'unknown', why: 'server_failure' });
});

test('a silent zone is unknown at the deadline', async (t) => {
  const { resolver } = await resolverOver(t, { 'silent.example': 'silent' }, { timeoutMs: 20 });
  t.deepEqual(await resolver.mx('silent.example'), { state: 'unknown', why: 'timeout' });
});

test('no more questions are on the wire than allowed; those beyond the queue are unknown at once', async (t) => {
  const { resolver, server } = await resolverOver(t, {}, { maxConcurrent: 4, maxQueued: 3 });
  server.held = true;
  const answers = Array.from({ length: 10 }, (_, i) => resolver.mx(`n${i}.example`));
  t.deepEqual(await Promise.all(answers.slice(7)), Array(3).fill({ state: 'unknown', why: 'busy' }));
  await asked(server, 4);
  t.is(server.questions.length, 4);
  server.held = false;
  server.release();
  const rest = await Promise.all(answers.slice(0, 7));
  t.true(rest.every((answer) => answer.state === 'none'));
  t.is(server.questions.length, 7);
});

test('waiting for a turn counts against the deadline, is called busy, and is not remembered', async (t) => {
  const { resolver, server } = await resolverOver(
    t,
    { 'silent.example': 'silent' },
    { timeoutMs: 20, maxConcurrent: 1 },
  );
  const first = resolver.mx('silent.example');
  t.deepEqual(await resolver.mx('shop.example'), { state: 'unknown', why: 'busy' });
  t.deepEqual(await first, { state: 'unknown', why: 'timeout' });
  await asked(server, 1);
  t.deepEqual(server.questions, ['MX silent.example']);
  t.true(resolver.mx('shop.example') instanceof Promise);
});

test('a dead resolver opens the breaker, costs nothing from then on, and is found again', async (t) => {
  const { resolver, server, clock } = await resolverOver(
    t,
    { 'shop.example': { mx: ['10 mx.example'] } },
    { timeoutMs: 20, breakAfter: 5, probeAfterMs: 1_000, unknownTtlMs: 1 },
  );
  server.silent = true;
  await Promise.all(Array.from({ length: 5 }, (_, i) => resolver.mx(`n${i}.example`)));
  for (let i = 0, open = false; !open; i++) {
    const answer = await resolver.mx(`m${i}.example`);
    open = answer.state === 'unknown' && answer.why === 'resolver_down';
  }
  t.false(resolver.mx('shop.example') instanceof Promise);
  server.silent = false;
  clock.nowMs += 1_000;
  let answer = await resolver.mx('shop.example');
  while (answer.state === 'unknown') {
    await new Promise((resolve) => setImmediate(resolve));
    answer = await resolver.mx('shop.example');
  }
  t.is(answer.state, 'found');
});

test('any number of silent zones leave a living resolver in use', async (t) => {
  const silent = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`n${i}.example`, 'silent' as const]),
  );
  const { resolver, server } = await resolverOver(
    t,
    { ...silent, 'shop.example': { mx: ['10 mx.example'] } },
    // Long enough for the answers to the probe and to the last query on a busy machine.
    { timeoutMs: 2_000, breakAfter: 3 },
  );
  await Promise.all(Object.keys(silent).map((name) => resolver.mx(name)));
  await asked(server, 31);
  t.true(server.questions.includes('NS .'));
  t.is((await resolver.mx('shop.example')).state, 'found');
});

test('a resolver without a server at its address is unknown', async (t) => {
  const server = await startDnsServer({});
  await server.close();
  const resolver = createBoundedResolver({ servers: [server.address], timeoutMs: 2_000, now: () => 0 });
  t.teardown(() => resolver.close());
  t.is((await resolver.mx('shop.example')).state, 'unknown');
});

test('silent zones are no failure of the resolver, a dead resolver is, and an answer is its success', async (t) => {
  const told: string[] = [];
  const outcomes = { succeeded: () => told.push('answers'), failed: (because: string) => told.push(because) };
  const zones = { 'silent.example': 'silent', 'shop.example': { a: ['192.0.2.1'] } } as const;
  const { resolver } = await resolverOver(t, zones, { outcomes, timeoutMs: 1_000 });
  await resolver.a('silent.example');
  t.deepEqual(told, []);
  await resolver.a('shop.example');
  t.deepEqual(told, ['answers']);
  const dead = createBoundedResolver({ servers: ['127.0.0.1:1'], timeoutMs: 2_000, now: () => 0, outcomes });
  t.teardown(() => dead.close());
  await dead.a('shop.example');
  t.deepEqual(told, ['answers', 'resolver_down']);
});

test('closing answers waiting queries, and later ones too', async (t) => {
  const { resolver, server } = await resolverOver(t, {}, { maxConcurrent: 1 });
  server.silent = true;
  const answers = [resolver.mx('a.example'), resolver.mx('b.example')];
  await asked(server, 1);
  resolver.close();
  for (const answer of [...answers, resolver.mx('c.example')]) {
    t.deepEqual(await answer, { state: 'unknown', why: 'resolver_down' });
  }
});
