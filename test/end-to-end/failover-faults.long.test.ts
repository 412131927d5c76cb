import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type Fleet, startFleet } from '../helpers/fleet.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { own } from '../helpers/postgres-programs.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../helpers/postgres-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { CAN_MOUNT, mountSmallDisk } from '../helpers/small-disk.ts';
import type { LoadSample } from '../helpers/steady-load.ts';
import { signupOf } from './counters-outage.contract.ts';
import {
  type Answers,
  endsWithoutBugs,
  loadBothDoors,
  newAnswers,
  rowsEqualAnswers,
  servesAgain,
} from './records-outage.contract.ts';

const withPostgres = MISSING_POSTGRES === null ? test.serial : test.serial.skip;
const withSmallDisk = MISSING_POSTGRES === null && CAN_MOUNT ? test.serial : test.serial.skip;
if (MISSING_POSTGRES !== null) test.skip(`failovers: ${MISSING_POSTGRES}`, () => {});

/** What is promised. A busy machine gets more time, the full proof does not. */
const RECOVERED_WITHIN_MS = IS_FULL_PROOF ? 10_000 : 120_000;
const NOTICED_WITHIN_MS = 120_000;
const PER_SECOND = IS_FULL_PROOF ? 100 : 20;
const SLICE_MS = 1_000;
const DISK_MEGABYTES = 64;
const BALLAST_BYTES = 262_144;
const REFUSED = 20;

interface Load {
  stop(): Promise<readonly LoadSample[]>;
}

/** Sends until it is stopped, or the test ends. */
function startLoad(t: ExecutionContext, send: () => Promise<readonly LoadSample[]>): Load {
  const samples: LoadSample[] = [];
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) samples.push(...(await send()));
  })();
  const stop = async () => {
    isStopped = true;
    await running;
    return samples;
  };
  t.teardown(stop);
  return { stop };
}

function loadApiAndGate(t: ExecutionContext, fleet: Fleet, answers: Answers): Load {
  return startLoad(t, async () => {
    const { api, gate } = await loadBothDoors(fleet, answers, { perSecond: PER_SECOND, forMs: SLICE_MS });
    return [...api, ...gate];
  });
}

function countByStatus(samples: readonly LoadSample[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of samples) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}

withPostgres('three nodes under load outlive the promotion of a standby, and lose no answer', async (t) => {
  t.timeout(600_000);
  const primary = await startOwnPostgres(t);
  const first = await connectPostgres(primary.url);
  t.teardown(() => first.end());
  const standby = await startOwnPostgres(t, { of: primary });
  // A commit waits for the standby: what was answered is there when it takes over.
  await first.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await first.query('SELECT pg_reload_conf()');
  const isSynchronous = async () =>
    (await first.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).rows.length === 1;
  t.true(await until(isSynchronous, NOTICED_WITHIN_MS));

  const fleet = await startFleet(t, { size: 3, counters: 'memory', records: { postgres: primary.url } });
  const answers = newAnswers();
  const load = loadApiAndGate(t, fleet, answers);
  await wait(3 * SLICE_MS);
  await primary.stop();
  const stoppedAt = performance.now();
  await standby.promote();
  for (const { recordsProxy } of fleet.nodes) recordsProxy?.switchTo(standby.port);
  const promotedAt = performance.now();
  await servesAgain(t, { fleet, answers, withinMs: RECOVERED_WITHIN_MS });
  const servedAt = performance.now();
  await wait(2 * SLICE_MS);
  const counts = countByStatus(await load.stop());
  t.deepEqual(
    Object.keys(counts).filter((status) => !['200', '201', '503'].includes(status)),
    [],
  );
  const second = await connectPostgres(standby.url);
  t.teardown(() => second.end());
  await rowsEqualAnswers(t, second, answers);
  await endsWithoutBugs(t, fleet);
  t.log(
    `${JSON.stringify(counts)}; promoted ${Math.round(promotedAt - stoppedAt)} ms after the stop, and all three nodes served ${Math.round(servedAt - promotedAt)} ms later; rows equal answers`,
  );
});

withSmallDisk(
  'on a full disk of PostgreSQL the API refuses and counts nothing, and the gate goes on',
  async (t) => {
    t.timeout(600_000);
    const server = await startOwnPostgres(t);
    const { folder: disk } = mountSmallDisk(t, DISK_MEGABYTES);
    own(disk);
    // The server runs as another user.
    chmodSync(dirname(disk), 0o711);
    const admin = await connectPostgres(server.url);
    t.teardown(() => admin.end());
    // Its log of writes is elsewhere: without room for that, the server ends.
    await admin.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
    await admin.query('CREATE DATABASE small TABLESPACE small');
    const url = server.url.replace(/postgres$/, 'small');
    const fleet = await startFleet(t, { size: 2, counters: 'memory', records: { postgres: url } });
    const answers = newAnswers();
    await servesAgain(t, { fleet, answers, withinMs: NOTICED_WITHIN_MS });

    const ballast: string[] = [];
    try {
      for (let bytes = BALLAST_BYTES; bytes >= 1_024; ) {
        const file = join(disk, `ballast-${ballast.length}`);
        ballast.push(file);
        try {
          writeFileSync(file, Buffer.alloc(bytes));
        } catch {
          bytes /= 2;
        }
      }
      let refused = 0;
      let forwarded = 0;
      const isRefused = async () => {
        const { status, requestId } = await fleet.score(signupOf('api'));
        if (status === 200) answers.scored.add(requestId);
        else {
          t.is(status, 503);
          refused++;
        }
        t.is(await fleet.signUp(signupOf('gate')), 201);
        forwarded++;
        return refused >= REFUSED;
      };
      t.true(await until(isRefused, NOTICED_WITHIN_MS));
      for (const node of fleet.nodes) {
        const { status, records } = await node.ready();
        t.is(status, 200);
        t.regex(records ?? '', /^away since 2/);
        t.regex(node.running.output(), /has no room left/);
      }
      t.log(`${refused} requests of the API were refused, ${forwarded} signups forwarded`);
    } finally {
      for (const file of ballast) rmSync(file, { force: true });
    }

    await servesAgain(t, { fleet, answers, withinMs: RECOVERED_WITHIN_MS });
    const inside = await connectPostgres(url);
    t.teardown(() => inside.end());
    const { rows } = await inside.query("SELECT request_id FROM decisions WHERE door = 'api'");
    t.deepEqual(rows.map(({ request_id }) => String(request_id)).sort(), [...answers.scored].sort());
    const { rows: used } = await inside.query('SELECT sum(used)::int AS used FROM usage_days');
    t.is(used[0]?.used, answers.scored.size);
    for (const { running } of fleet.nodes) t.is(await running.end('SIGTERM'), 0);
  },
);
