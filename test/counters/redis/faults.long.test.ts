import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { openFaultProxy } from '../../helpers/fault-proxy.ts';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import {
  MISSING_REDIS_PROGRAMS,
  pause,
  REDIS_PROGRAMS,
  type RedisProgram,
  startRedis,
  startRedisCluster,
} from '../../helpers/redis-server.ts';
import { attemptOf, observe, openNode, PATIENCE_MS, until } from '../../helpers/shared-counters.ts';
import { recovers, settles, shared, staysLocal, testFaults } from './faults.contract.ts';

/** From the end of a fault until counts are shared again. */
const RECOVERED_WITHIN_MS = 5_000;
/** 50 ms, and what a busy machine adds. */
const ANSWERED_WITHIN_MS = 250;
const skipped = REDIS_PROGRAMS.length === 0;
const run = skipped ? test.skip : test.serial;

async function open(t: ExecutionContext, { program }: { readonly program?: RedisProgram } = {}) {
  const server = await startRedis([], program ? { program } : {});
  t.teardown(() => server.stop());
  const url = `redis://127.0.0.1:${server.port}`;
  const node = await openNode(t, url);
  return { server, url, node };
}

const BOUNDS = {
  watchedMs: 1_500,
  answeredWithinMs: ANSWERED_WITHIN_MS,
  recoveredWithinMs: RECOVERED_WITHIN_MS,
};
if (!skipped) testFaults(test.serial, BOUNDS);

run('a server that is started again without its data is found empty', async (t) => {
  const { server, node } = await open(t);
  await settles(t, node);
  // A look a second tells the node what there was.
  await pause(1_200);
  await server.kill();
  const again = await startRedis([], { port: server.port });
  t.teardown(() => again.stop());
  t.true(await until(() => node.losses() === 1, RECOVERED_WITHIN_MS), 'and is found empty');
});

run('a server that is away at the start is used as soon as it is there', async (t) => {
  const gone = await startRedis();
  await gone.stop();
  const begunAt = performance.now();
  const node = await openNode(t, `redis://127.0.0.1:${gone.port}`);
  t.true(performance.now() - begunAt < 1_500);
  await staysLocal(t, node, ['unreachable'], BOUNDS);
  const server = await startRedis([], { port: gone.port });
  t.teardown(() => server.stop());
  await recovers(t, node, RECOVERED_WITHIN_MS);
  t.is(node.losses(), 0, 'a server that this node never knew lost nothing');
});

run('a cluster that is away at the start is used as soon as it is there', async (t) => {
  const servers = await startRedisCluster();
  t.teardown(() => Promise.all(servers.map((server) => server.stop())));
  for (const { pid } of servers) process.kill(pid, 'SIGSTOP');
  const node = await openNode(
    t,
    `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
  );
  await staysLocal(t, node, ['unreachable', 'timeout'], BOUNDS);
  for (const { pid } of servers) process.kill(pid, 'SIGCONT');
  await recovers(t, node, RECOVERED_WITHIN_MS);
});

run('killed connections and flushed scripts cost a call at most', async (t) => {
  const { server, node } = await open(t);
  for (let round = 0; round < 5; round++) {
    await server.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    t.true(await until(() => shared(node), RECOVERED_WITHIN_MS));
    await server.admin.call('SCRIPT', 'FLUSH');
    t.true(await shared(node), 'the script is sent again');
  }
  t.is(node.losses(), 0);
});

run('a connection whose other end is gone without a word is replaced', async (t) => {
  const server = await startRedis();
  const proxy = await openFaultProxy(server.port);
  t.teardown(async () => {
    await proxy.close();
    await server.stop();
  });
  const node = await openNode(t, `redis://127.0.0.1:${proxy.port}`);
  await settles(t, node);
  await proxy.set('half-open');
  await recovers(t, node, RECOVERED_WITHIN_MS);
});

for (const program of REDIS_PROGRAMS) {
  run(
    `${program}: a flush is noticed within 5 s and counted, and one of three nodes fills the windows again`,
    async (t) => {
      const { server, url } = await open(t, { program });
      const secret = randomUUID();
      let refills = 0;
      const past = Array.from({ length: 20 }, (_, i) => attemptOf(`stored ${i}`));
      const nodes = await Promise.all(
        [0, 1, 2].map(() =>
          openNode(t, url, {
            secret,
            deadlineMs: PATIENCE_MS,
            refill: async (target) => {
              // As when the circuit breaker does not let calls through yet: the same node tries again.
              if (++refills === 1) throw new Error('not yet');
              for (const [i, attempt] of past.entries())
                await target.observe(attempt, Date.now() - 60_000 * (i + 1));
              return past.length;
            },
          }),
        ),
      );
      const [first] = nodes;
      if (!first) throw new Error('no node was opened');
      for (const attempt of past.slice(0, 5)) await observe(first.counters, attempt);
      await server.admin.flushall();
      t.true(await until(() => nodes.every((node) => node.losses() === 1), IS_FULL_PROOF ? 5_000 : 60_000));
      t.true(
        await until(
          () => nodes.some(({ lines }) => lines.some((line) => line.includes('filled again'))),
          IS_FULL_PROOF ? 5_000 : 60_000,
        ),
      );
      t.is(refills, 2);
      const counts = await observe(first.counters, attemptOf('fresh'));
      t.is(counts[1]?.per_hour, 21);
      t.is(counts[1]?.per_10_minutes, 10);
    },
  );
}

run(
  'a refused login and a missing right end the start with a sentence and without the password',
  async (t) => {
    const server = await startRedis(['--requirepass', 'hunter2'], { password: 'hunter2' });
    t.teardown(() => server.stop());
    const place = `127.0.0.1:${server.port}`;
    await server.admin.call(
      'ACL',
      'SETUSER',
      'narrow',
      'on',
      '>hunter2',
      '~gk1:*',
      '+@read',
      '+info',
      '+ping',
      '+client',
    );
    await server.admin.call('ACL', 'SETUSER', 'elsewhere', 'on', '>hunter2', '~other:*', '+@all');
    for (const [scheme, login, said] of [
      ['redis', ':hunter3@', /WRONGPASS/],
      ['redis+cluster', ':hunter3@', /WRONGPASS/],
      ['redis', '', /NOAUTH/],
      ['redis', 'narrow:hunter2@', /NOPERM.*evalsha/],
      ['redis', 'elsewhere:hunter2@', /NOPERM|permission/i],
    ] as const) {
      const error = await t.throwsAsync(openNode(t, `${scheme}://${login}${place}`), { name: 'ConfigError' });
      t.regex(error?.message ?? '', said);
      t.regex(error?.message ?? '', /storage\.counters/);
      t.notRegex(error?.message ?? '', /hunter/);
    }
    await server.admin.call(
      ...([
        'ACL',
        'SETUSER',
        'gate',
        'on',
        '>hunter2',
        '~gk1:*',
        '+@read',
        '+@write',
        '+@scripting',
      ] as const),
      ...['+info', '+time', '+ping'],
    );
    const node = await openNode(t, `redis://gate:hunter2@${place}`);
    t.true(await shared(node));
    t.deepEqual(node.lines, []);
  },
);

run('a database that the server does not have, or that the user may not use, ends the start', async (t) => {
  const { server, url } = await open(t);
  await server.admin.call('ACL', 'SETUSER', 'first', 'on', '>hunter2', '~gk1:*', '+@all', '-select');
  const other = url.replace('://', '://first:hunter2@');
  for (const [address, said] of [
    [`${url}/99`, /DB index is out of range/],
    [`${other}/3`, /NOPERM.*select/],
  ] as const) {
    const error = await t.throwsAsync(openNode(t, address), { name: 'ConfigError' });
    t.regex(error?.message ?? '', said);
    t.regex(error?.message ?? '', /database \d+ of the URL/);
    t.notRegex(error?.message ?? '', /hunter/);
  }
  t.true(await shared(await openNode(t, `${url}/3`)));
  t.true(await shared(await openNode(t, other)));
});

run('nothing that is sent to the server can be read', async (t) => {
  const { server, node } = await open(t);
  const seen: string[] = [];
  const monitor = await (await server.connect()).monitor();
  monitor.on('error', () => {});
  t.teardown(() => monitor.disconnect());
  monitor.on('monitor', (_time: string, args: readonly string[]) => seen.push(args.join(' ')));
  for (let i = 0; i < 20; i++) await observe(node.counters, attemptOf(`jane${i}@acme.example`), i % 2 === 0);
  await node.counters.acquirePerMinute('account of acme', 5, Date.now());
  await node.counters
    .limitFailures('sign-in', { limit: 3, windowMs: 60_000, maxKeys: 64 })
    .acquire('jane', Date.now());
  t.true(await until(() => seen.length > 30, 2_000));
  const calls = seen.filter((line) => !line.includes('-- ') && !line.startsWith('eval '));
  for (const readable of ['jane', 'acme', '203.0.113', 'browser', 'name.name', 'sign-in', 'account']) {
    t.false(
      calls.some((line) => line.toLowerCase().includes(readable)),
      readable,
    );
  }
});

run('a decision is one call, and nodes see one another', async (t) => {
  const { server, url } = await open(t);
  const secret = randomUUID();
  const [one, other] = await Promise.all(
    [0, 1].map(() => openNode(t, url, { secret, deadlineMs: PATIENCE_MS })),
  );
  if (!one || !other) throw new Error('no nodes were opened');
  await observe(one.counters, attemptOf('warm'));
  await server.admin.config('RESETSTAT');
  for (let i = 0; i < 50; i++) await observe((i % 2 ? one : other).counters, attemptOf(`mailbox ${i}`));
  const stats = await server.admin.info('commandstats');
  t.is(Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]), 50);
  const [, subnet] = await observe(one.counters, attemptOf('last'));
  t.is(subnet?.per_minute, 52);
});
for (const program of MISSING_REDIS_PROGRAMS)
  test.skip(`faults of Redis and Valkey: ${program} is missing here`, () => {});
