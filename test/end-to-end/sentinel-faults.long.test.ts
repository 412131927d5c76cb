import test from 'ava';
import { type Fleet, startFleet } from '../helpers/fleet.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { REDIS_PROGRAMS, type RedisServer, startRedis, startSentinel } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { applySteadyLoad, type LoadSample } from '../helpers/steady-load.ts';
import { countsTogether, signupOf } from './counters-outage.contract.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
if (REDIS_PROGRAMS.length === 0)
  test.skip('a failover by Sentinel in a fleet: redis-server is missing here', () => {});

/** What is promised. A busy machine gets more time, the full proof does not. */
const RECOVERED_WITHIN_MS = IS_FULL_PROOF ? 10_000 : 180_000;
const SETTLED_WITHIN_MS = 180_000;
/** A busy machine must not make Sentinels take a living server for dead. */
const DOWN_AFTER_MS = 5_000;
const PER_SECOND = IS_FULL_PROOF ? 100 : 20;
const SLICE_MS = 500;

run(
  'three nodes answer all requests while Sentinels replace a killed master, and then use the new one',
  async (t) => {
    t.timeout(900_000);
    const first = await startRedis();
    const replicas = await Promise.all(
      [0, 1].map(() => startRedis(['--replicaof', '127.0.0.1', String(first.port)])),
    );
    const servers = [first, ...replicas];
    const sentinels = await Promise.all(
      [0, 1, 2].map(() => startSentinel(first, { downAfterMs: DOWN_AFTER_MS })),
    );
    t.teardown(() => Promise.all([...servers, ...sentinels].map((server) => server.stop())));
    t.true(await until(() => knowEachOther(sentinels, replicas.length), SETTLED_WITHIN_MS));
    const counters = `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`;
    const fleet = await startFleet(t, { size: 3, counters, records: 'each' });
    t.true(await until(() => countsTogether(fleet), SETTLED_WITHIN_MS));

    const load = startLoad(fleet);
    t.teardown(() => load.stop());
    const killedPort = await masterPortOf(sentinels[0]);
    const killed = servers.find(({ port }) => port === killedPort);
    t.truthy(killed, 'the master is one of the servers');
    await killed?.kill();
    const killedAt = performance.now();
    const isLocal = async () =>
      (await Promise.all(fleet.nodes.map(({ ready }) => ready()))).every(({ counters: said }) => said);
    t.true(await until(isLocal, SETTLED_WITHIN_MS), 'each node counts alone');

    const named = async () => {
      const ports = await Promise.all(sentinels.map(masterPortOf));
      return new Set(ports).size === 1 && ports[0] !== killedPort;
    };
    t.true(await until(named, SETTLED_WITHIN_MS), 'the Sentinels agree on another master');
    const namedAt = performance.now();
    t.true(await until(() => countsTogether(fleet), RECOVERED_WITHIN_MS), 'recovered');
    const recoveredAt = performance.now();

    const samples = await load.stop();
    t.deepEqual(
      samples.map(({ status }) => status).filter((status) => status !== 200 && status !== 201),
      [],
    );
    const masterPort = await masterPortOf(sentinels[0]);
    const master = servers.find(({ port }) => port === masterPort);
    const calls = /cmdstat_evalsha:calls=(\d+)/.exec(String(await master?.admin.info('commandstats')))?.[1];
    t.true(Number(calls) > 0, 'the new master counts');
    t.true((await master?.admin.info('replication'))?.includes('role:master'));
    for (const node of fleet.nodes) {
      t.true((await node.metric('gatekeeper_counters_fallback_total')) > 0);
      t.is((await node.ready()).counters, undefined);
      t.notRegex(node.running.output(), /unhandled|"level":(?:50|60)|Error:/i);
      t.is(await node.running.end('SIGTERM'), 0);
    }
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    t.log(
      `${samples.length} requests answered; another master after ${seconds(namedAt - killedAt)} s, used by all nodes ` +
        `${seconds(recoveredAt - namedAt)} s after that`,
    );
  },
);

/** Sentinels learn of one another, and of the replicas, from the master. */
async function knowEachOther(sentinels: readonly RedisServer[], replicas: number): Promise<boolean> {
  for (const { admin } of sentinels) {
    const quorum = String(await admin.call('SENTINEL', 'CKQUORUM', 'main').catch(String));
    const known = await admin.call('SENTINEL', 'REPLICAS', 'main');
    if (!quorum.startsWith('OK 3') || !Array.isArray(known) || known.length !== replicas) return false;
  }
  return true;
}

async function masterPortOf(sentinel: RedisServer | undefined): Promise<number> {
  const address = await sentinel?.admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main');
  return Number(Array.isArray(address) ? address[1] : Number.NaN);
}

/** Through both doors of all nodes in turn, until it is stopped. */
function startLoad(fleet: Fleet): { stop(): Promise<readonly LoadSample[]> } {
  const samples: LoadSample[] = [];
  let isStopped = false;
  const send = async (turn: number) =>
    turn % 2 === 1 ? fleet.signUp(signupOf('gate')) : (await fleet.score(signupOf('api'))).status;
  const running = (async () => {
    while (!isStopped)
      samples.push(...(await applySteadyLoad({ perSecond: PER_SECOND, forMs: SLICE_MS, send })));
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
      return samples;
    },
  };
}
