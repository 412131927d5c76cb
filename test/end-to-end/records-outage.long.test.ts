import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { openFaultProxy } from '../helpers/fault-proxy.ts';
import { startFleet } from '../helpers/fleet.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { launchGatekeeper } from '../helpers/gatekeeper-process.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../helpers/postgres-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { signupOf } from './counters-outage.contract.ts';
import { crowded, frozen, READ_ONLY, withDefaultTimes, withoutNetwork } from './records-faults.ts';
import {
  endsWithoutBugs,
  loadBothDoors,
  newAnswers,
  outliveRecordsOutage,
  rowsEqualAnswers,
  servesAgain,
} from './records-outage.contract.ts';

const run = MISSING_POSTGRES === null ? test.serial : test.skip;
/** The promises of time are proven by the full proof: a busy machine adds to all of them. */
const OUTAGE = IS_FULL_PROOF
  ? {
      ...{ perSecond: 60, calmMs: 3_000, outageMs: 30_000, recoveredWithinMs: 5_000 },
      // Five seconds and a quarter of a second, and the rest of the answer.
      medianMs: { api: 6_000, gate: 1_000 },
    }
  : { perSecond: 30, calmMs: 1_000, outageMs: 5_000, recoveredWithinMs: 60_000 };
const SHORT = { ...OUTAGE, outageMs: IS_FULL_PROOF ? 8_000 : 5_000 };
const DISTURBED_MS = IS_FULL_PROOF ? 15_000 : 6_000;
const SECONDS = OUTAGE.outageMs / 1_000;

run(`three nodes outlive a server that is stopped for ${SECONDS} s`, async (t) => {
  t.timeout(300_000);
  const server = await startOwnPostgres(t);
  await outliveRecordsOutage(t, frozen(server), { ...OUTAGE, url: server.url, nodes: 3 });
});

for (const mode of ['silent', 'refuse'] as const) {
  run(`three nodes outlive ${SECONDS} s without a network to PostgreSQL: ${mode}`, async (t) => {
    t.timeout(300_000);
    const { direct } = await postgresDatabase(t);
    await outliveRecordsOutage(t, withoutNetwork(mode), {
      ...{ ...OUTAGE, url: withDefaultTimes(direct), nodes: 3 },
    });
  });
}

run('two nodes outlive a server that accepts no writes', async (t) => {
  t.timeout(300_000);
  const server = await startOwnPostgres(t);
  await outliveRecordsOutage(t, READ_ONLY, { ...SHORT, url: server.url, nodes: 2 });
});

run('two nodes outlive a server whose connections others hold', async (t) => {
  t.timeout(300_000);
  const server = await startOwnPostgres(t, { maxConnections: 30 });
  await outliveRecordsOutage(t, crowded(server.url), { ...SHORT, url: server.url, nodes: 2 });
});

run(
  'rows equal answers where connections end at random moments, and where each answer is 2 s late',
  async (t) => {
    t.timeout(300_000);
    const { direct } = await postgresDatabase(t);
    const url = withDefaultTimes(direct);
    const admin = await connectPostgres(url);
    t.teardown(() => admin.end());
    const fleet = await startFleet(t, { size: 3, counters: 'memory', records: { postgres: url } });
    const answers = newAnswers();
    const proxies = fleet.nodes.flatMap(({ recordsProxy }) => recordsProxy ?? []);
    const load = { perSecond: 60, forMs: DISTURBED_MS };
    const statuses = new Set<number | string>();
    const note = async () => {
      const { api, gate } = await loadBothDoors(fleet, answers, load);
      for (const { status } of [...api, ...gate]) statuses.add(status);
    };

    let isDone = false;
    const cutAtRandom = async () => {
      for (let turn = 0; !isDone; turn++) {
        const proxy = proxies[turn % proxies.length];
        if (Math.random() < 0.3) proxy?.cut();
        else
          proxy?.cutAfter(Math.floor(Math.random() * 20_000), Math.random() < 0.5 ? 'answers' : 'requests');
        await delay(Math.random() * 200);
      }
    };
    const cutting = cutAtRandom();
    await note();
    isDone = true;
    await cutting;
    for (const proxy of proxies) proxy.cutAfter(Number.MAX_SAFE_INTEGER, 'answers');
    await servesAgain(t, { fleet, answers, withinMs: OUTAGE.recoveredWithinMs });

    for (const proxy of proxies) proxy.delay(2_000);
    await note();
    for (const proxy of proxies) proxy.delay(0);
    await servesAgain(t, { fleet, answers, withinMs: OUTAGE.recoveredWithinMs });
    t.deepEqual(
      [...statuses].filter((status) => ![200, 201, 503].includes(Number(status))),
      [],
    );
    t.log([...statuses].join(', '), `${answers.scored.size} scored, ${answers.forwarded} forwarded`);
    await rowsEqualAnswers(t, admin, answers);
    await endsWithoutBugs(t, fleet);
  },
);

run('rows equal answers where the server crashes three times', async (t) => {
  t.timeout(300_000);
  const server = await startOwnPostgres(t);
  const fleet = await startFleet(t, { size: 2, counters: 'memory', records: { postgres: server.url } });
  const answers = newAnswers();
  const load = loadBothDoors(fleet, answers, { perSecond: 60, forMs: DISTURBED_MS });
  for (let i = 0; i < 3; i++) {
    await delay(DISTURBED_MS / 4);
    server.restart();
  }
  const { gate } = await load;
  t.true(gate.every(({ status }) => status === 201));
  await servesAgain(t, { fleet, answers, withinMs: OUTAGE.recoveredWithinMs });
  const admin = await connectPostgres(server.url);
  t.teardown(() => admin.end());
  await rowsEqualAnswers(t, admin, answers);
  await endsWithoutBugs(t, fleet);
});

run(
  'a node of the API alone is not ready after a minute without its records, and is when they answer',
  async (t) => {
    t.timeout(300_000);
    const { direct } = await postgresDatabase(t);
    const fleet = await startFleet(t, {
      ...{ size: 1, counters: 'memory', doors: 'api', records: { postgres: withDefaultTimes(direct) } },
    });
    const [node] = fleet.nodes;
    if (!node) return t.fail();
    t.is((await node.score(signupOf('before'))).status, 200);
    await node.recordsProxy?.set('refuse');
    t.true(await until(async () => (await node.ready()).records !== undefined, 60_000));
    t.is((await node.ready()).status, 200);
    const awayAt = performance.now();
    t.true(await until(async () => (await node.ready()).status === 503, 90_000));
    t.true(performance.now() - awayAt > 50_000);
    t.is((await node.score(signupOf('away'))).status, 503);
    await node.recordsProxy?.set('pass');
    t.true(await until(async () => (await node.ready()).status === 200, OUTAGE.recoveredWithinMs));
    t.is((await node.score(signupOf('after'))).status, 200);
    await endsWithoutBugs(t, fleet);
  },
);

run('a server waits at its start for PostgreSQL, and serves when it answers', async (t) => {
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const proxy = await openFaultProxy(Number(new URL(direct).port));
  t.teardown(() => proxy.close());
  await proxy.set('refuse');
  const records = new URL(withDefaultTimes(direct));
  records.port = String(proxy.port);
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'gatekeeper.yaml'),
    JSON.stringify({
      ...{ api: { listen: '127.0.0.1:0' }, dashboard: { listen: '127.0.0.1:0' } },
      ...{ storage: { records: records.href }, privacy: { hash_secret: 'h'.repeat(40) } },
    }),
  );
  const launched = launchGatekeeper(t, folder, ['serve']);
  await launched.said('the start waits for the database', 2);
  t.notRegex(launched.output(), /Gatekeeper listens on/);
  await proxy.set('pass');
  await launched.said('Gatekeeper listens on ');
  t.is(await launched.end('SIGTERM'), 0);
  t.notRegex(launched.output(), /pass%2Fword|pass\/word/);
});
