import test, { type ExecutionContext } from 'ava';
import { REDIS_PROGRAMS, type RedisServer, startRedis } from '../../helpers/redis-server.ts';
import { attemptOf, observe, openNode, PATIENCE_MS, until } from '../../helpers/shared-counters.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test;
/** The keys of an attempt, and how many attempts fit into a call of at most 128 keys. */
const KEYS = attemptOf('one').length;
const IN_CALL = Math.floor(128 / KEYS);
const TEMPLATE = KEYS - 1;

async function open(t: ExecutionContext) {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const node = await openNode(t, `redis://127.0.0.1:${server.port}`, { deadlineMs: PATIENCE_MS });
  // Loads both scripts. The end of the attempt is a call of its own.
  await observe(node.counters, attemptOf('first', { network: '198.51.100.0/24' }), true);
  t.true(await until(() => node.called.length === 2, PATIENCE_MS));
  await callsOf(server);
  return { server, ...node };
}

/** The script calls since the last question. */
async function callsOf({ admin }: RedisServer): Promise<number> {
  const stats = await admin.info('commandstats');
  await admin.config('RESETSTAT');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

function together(counters: Parameters<typeof observe>[0], members: readonly string[], isRefused = false) {
  return Promise.all(members.map((member) => observe(counters, attemptOf(member), isRefused)));
}

const membersOf = (count: number) => Array.from({ length: count }, (_, i) => `mailbox ${i}`);

run('attempts of one moment are one call, and each one counts those before it', async (t) => {
  const { server, counters } = await open(t);
  const counts = await together(counters, membersOf(IN_CALL));
  t.is(await callsOf(server), 1);
  t.deepEqual(
    counts.map((own) => [own.length, own[1]?.per_hour, own[3]?.per_hour, own[TEMPLATE]?.per_hour]),
    counts.map((_, i) => [KEYS, i + 1, 1, i + 1]),
  );
});

run('more attempts than a call may hold are several calls in their order', async (t) => {
  const { server, counters } = await open(t);
  const count = 10 * IN_CALL + 1;
  const counts = await together(counters, membersOf(count));
  t.is(await callsOf(server), 11);
  t.deepEqual(
    counts.map((own) => own[1]?.per_hour),
    counts.map((_, i) => i + 1),
  );
});

run('attempts of one moment are taken back, or confirmed, with one call', async (t) => {
  const { server, counters } = await open(t);
  const members = membersOf(IN_CALL);
  await together(counters, members, true);
  t.is((await observe(counters, attemptOf('another')))[TEMPLATE]?.per_hour, 1, 'all were taken back');
  t.is(await callsOf(server), 3, 'the attempts, their end, and the other attempt');
  await together(counters, members);
  await together(counters, members);
  t.is((await observe(counters, attemptOf('a third one')))[TEMPLATE]?.per_hour, IN_CALL + 2);
  t.is(await callsOf(server), 4, 'the attempts twice, their confirmation, and the third one');
});

run('a call that fails is one failure, and this node answers all of its attempts', async (t) => {
  const { server, counters, fallbacks, lines } = await open(t);
  await server.kill();
  for (let failures = 1; failures <= 3; failures++) {
    const counts = await together(counters, membersOf(IN_CALL));
    t.is(fallbacks.length, failures);
    t.true(counts.flat().every(({ localBecause }) => localBecause === 'unreachable'));
    t.is(counts.at(-1)?.[1]?.per_hour, IN_CALL);
    t.is(lines.length, failures < 3 ? 0 : 1, 'three calls stop the calls, not three attempts');
  }
});
