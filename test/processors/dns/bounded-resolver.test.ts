import test from 'ava';
import { createBoundedResolver } from '../../../src/processors/dns/bounded-resolver.ts';
import { asked, resolverOver } from './resolver-over.ts';

test('mail exchanges come in the order of preference and in lower case', async (t) => {
  const { resolver } = await resolverOver(t, {
    'shop.example': { mx: ['20 backup.shop.example', '10 MX.Shop.example'] },
  });
  t.deepEqual(await resolver.mx('shop.example'), {
    state: 'found',
    records: [
      { exchange: 'mx.shop.example', priority: 10 },
      { exchange: 'backup.shop.example', priority: 20 },
    ],
  });
});

test('a null MX is an empty exchange', async (t) => {
  const { resolver } = await resolverOver(t, { 'nomail.example': { mx: ['0 .'] } });
  t.deepEqual(await resolver.mx('nomail.example'), {
    state: 'found',
    records: [{ exchange: '', priority: 0 }],
  });
});

test('a missing name and a missing record are sure answers, and told apart', async (t) => {
  const { resolver } = await resolverOver(t, { 'web.example': { a: ['192.0.2.1'] } });
  t.deepEqual(await resolver.mx('gone.example'), { state: 'none', why: 'no_such_name' });
  t.deepEqual(await resolver.mx('web.example'), { state: 'none', why: 'no_such_record' });
});

test('addresses fall back to IPv6 where there is no IPv4, and not where the name does not exist', async (t) => {
  const { resolver, server } = await resolverOver(t, {
    'both.example': { a: ['192.0.2.1', '2001:db8::1'] },
    'six.example': { a: ['2001:db8::6'] },
    'bare.example': {},
  });
  t.deepEqual(await resolver.addresses('both.example'), { state: 'found', records: ['192.0.2.1'] });
  t.deepEqual(await resolver.addresses('six.example'), { state: 'found', records: ['2001:db8::6'] });
  t.deepEqual(await resolver.addresses('bare.example'), { state: 'none', why: 'no_such_record' });
  t.deepEqual(await resolver.addresses('gone.example'), { state: 'none', why: 'no_such_name' });
  t.deepEqual(server.questions, [
    'A both.example',
    'A six.example',
    'AAAA six.example',
    'A bare.example',
    'AAAA bare.example',
    'A gone.example',
  ]);
});

test('servers of the system that know no name at all are not trusted when they deny a name', async (t) => {
  const { resolver } = await resolverOver(t, { '.': 'nxdomain' }, { believesStrangers: false });
  t.deepEqual(await resolver.mx('gone.example'), { state: 'unknown', why: 'resolver_isolated' });
});

test('servers of the system that know the world are believed when they say that a name does not exist', async (t) => {
  const { resolver } = await resolverOver(
    t,
    { '.': 'nxdomain', 'gmail.com': { mx: ['5 mx.gmail.example'] } },
    { believesStrangers: false },
  );
  t.deepEqual(await resolver.mx('gone.example'), { state: 'none', why: 'no_such_name' });
});

test('a block list name is queried for IPv4 only', async (t) => {
  const { resolver, server } = await resolverOver(t, { '2.0.0.127.bl.example': { a: ['127.0.0.2'] } });
  t.deepEqual(await resolver.a('2.0.0.127.bl.example'), { state: 'found', records: ['127.0.0.2'] });
  t.deepEqual(await resolver.a('3.0.0.127.bl.example'), { state: 'none', why: 'no_such_name' });
  t.is(server.questions.length, 2);
});

test('every kind of answer is cached for its time, and then queried again', async (t) => {
  const cases = [
    ['shop.example', 'found', 30],
    ['gone.example', 'none', 20],
    ['broken.example', 'unknown', 10],
  ] as const;
  const { resolver, server, clock } = await resolverOver(
    t,
    { 'shop.example': { mx: ['10 mx.example'] }, 'broken.example': 'servfail' },
    { foundTtlMs: 30, noneTtlMs: 20, unknownTtlMs: 10 },
  );
  for (const [name, state, ttlMs] of cases) {
    const before = server.questions.length;
    t.is((await resolver.mx(name)).state, state);
    clock.nowMs += ttlMs;
    t.false(resolver.mx(name) instanceof Promise, `${name} is answered at once`);
    clock.nowMs += 1;
    t.is((await resolver.mx(name)).state, state);
    t.is(server.questions.length, before + 2);
  }
});

test('equal queries at the same time are sent once', async (t) => {
  const { resolver, server } = await resolverOver(t, { 'shop.example': { mx: ['10 mx.example'] } });
  const answers = await Promise.all(Array.from({ length: 100 }, () => resolver.mx('shop.example')));
  t.true(answers.every((answer) => answer.state === 'found'));
  t.deepEqual(server.questions, ['MX shop.example']);
});

test('the answer of a slow zone is there for the next question', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => `slow${i}.example`);
  const zones = Object.fromEntries(names.map((name) => [name, { mx: ['10 mx.example'] }]));
  const { resolver, server } = await resolverOver(t, zones, { timeoutMs: 20 });
  for (const name of names) {
    server.held = true;
    t.is((await resolver.mx(name)).state, 'unknown');
    await asked(server, server.questions.length + (server.questions.includes(`MX ${name}`) ? 0 : 1));
    server.release();
    let answer = await resolver.mx(name);
    // The resolver gives a query up half a second after its deadline.
    const givenUpAt = performance.now() + 1_000;
    while (answer.state === 'unknown' && performance.now() < givenUpAt) {
      await new Promise((resolve) => setImmediate(resolve));
      answer = await resolver.mx(name);
    }
    t.is(server.questions.filter((question) => question === `MX ${name}`).length, 1);
    // A busy machine may release the answer only after the resolver has given the query up: then the next name.
    if (answer.state === 'found') return;
  }
  t.fail('no late answer was kept');
});

test('servers that are not addresses are refused with a message', (t) => {
  t.throws(() => createBoundedResolver({ servers: ['dns.example'], timeoutMs: 1, now: () => 0 }), {
    message: 'DNS servers must be IP addresses with an optional port, but got dns.example',
  });
});

test('two thousand distinct domains leave a bounded cache', async (t) => {
  const { resolver, server } = await resolverOver(t, {}, { cacheEntries: 100, maxQueued: 4_000 });
  const names = Array.from({ length: 2_000 }, (_, i) => `n${i}.example`);
  await Promise.all(names.map((name) => resolver.mx(name)));
  const before = server.questions.length;
  const again = names.map((name) => resolver.mx(name));
  t.true(again.filter((answer) => !(answer instanceof Promise)).length <= 100);
  await Promise.all(again);
  t.true(server.questions.length > before);
});
