import test from 'ava';
import { openFaultProxy } from '../helpers/fault-proxy.ts';
import { startFleet } from '../helpers/fleet.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { REDIS_FAULTS } from '../helpers/redis-faults.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { countsTogether, isMarkedLocal, outliveOutage, signupOf } from './counters-outage.contract.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
/** The promise is proven at the full load; on a busy machine, a call takes longer than its deadline now and then. */
const OUTAGE = IS_FULL_PROOF
  ? { perSecond: 300, outageMs: 30_000, calmMs: 10_000, recoveredWithinMs: 5_000 }
  : { perSecond: 50, outageMs: 6_000, calmMs: 2_000, recoveredWithinMs: 60_000 };
const SETTLED_WITHIN_MS = 60_000;
/** The suite of the counters has all faults; here, one of each kind: errors of a server, of its data, and of a cluster. */
const SHORT_FAULTS = /READONLY|LOADING|CLUSTERDOWN/;
const FAULTS = REDIS_FAULTS.filter(({ name }) => IS_FULL_PROOF || SHORT_FAULTS.test(name));

run(
  `three nodes lose no request at ${OUTAGE.perSecond} a second while Redis is stopped for ${OUTAGE.outageMs / 1_000} s`,
  async (t) => {
    t.timeout(300_000);
    await outliveOutage(t, 'stopped', OUTAGE);
  },
);

run(`three nodes lose no request at ${OUTAGE.perSecond} a second while Redis answers 2 s late`, async (t) => {
  t.timeout(300_000);
  await outliveOutage(t, 'late', OUTAGE);
});

run('a node starts, answers and stops while Redis is silent', async (t) => {
  const server = await startRedis();
  const proxy = await openFaultProxy(server.port);
  t.teardown(async () => {
    await proxy.close();
    await server.stop();
  });
  await proxy.set('silent');
  const counters = `redis://127.0.0.1:${proxy.port}`;
  const fleet = await startFleet(t, { size: 1, counters, records: 'each' });
  t.is((await fleet.score(signupOf('silent'))).status, 200);
  t.is(await fleet.signUp(signupOf('silent')), 201);
  await isMarkedLocal(t, fleet, ['timeout', 'unreachable']);
  for (const { running } of fleet.nodes) t.is(await running.end('SIGTERM'), 0);
});

for (const { name, causes, prepare } of FAULTS) {
  run(`both doors answer from the node's own counters while a server ${name}`, async (t) => {
    const { url, begin, end } = await prepare(t);
    const fleet = await startFleet(t, { size: 1, counters: url, records: 'each' });
    t.true(await until(() => countsTogether(fleet), SETTLED_WITHIN_MS));
    await begin();
    t.true(
      await until(async () => {
        t.is((await fleet.score(signupOf('local'))).status, 200);
        t.is(await fleet.signUp(signupOf('local')), 201);
        const [node] = fleet.nodes;
        const fallbacks = causes.map((because) =>
          node?.metric('gatekeeper_counters_fallback_total', `because="${because}"`),
        );
        return (await node?.ready())?.counters !== undefined && (await Promise.all(fallbacks)).some(Boolean);
      }, SETTLED_WITHIN_MS),
    );
    await isMarkedLocal(t, fleet, [...causes, 'timeout']);
    await end();
    t.true(await until(() => countsTogether(fleet), OUTAGE.recoveredWithinMs), 'recovered');
    for (const { running } of fleet.nodes) {
      const count = (text: string) => running.output().split(text).length - 1;
      // Once for each server of a cluster.
      t.true(count('shared counters do not answer') > 0);
      // The log may arrive after the answer.
      const isComplete = async () =>
        count('shared counters answer again') === count('shared counters do not answer');
      t.true(await until(isComplete, SETTLED_WITHIN_MS), running.output());
      t.is(await running.end('SIGTERM'), 0);
    }
  });
}
