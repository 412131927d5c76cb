import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createRandom, type Random } from '../../scripts/random.ts';
import { type ComposeNode, startComposeFleet } from '../helpers/compose-fleet.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../helpers/postgres-server.ts';
import { isInstalled } from '../helpers/programs.ts';
import { openReceivingApp } from '../helpers/receiving-app.ts';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { createKeptRedis, disturbFor, disturbNode, disturbPostgres, disturbRedis } from './chaos-events.ts';
import { loadFleet, newAnswers } from './chaos-load.ts';
import { rowsAgree } from './chaos-rows.ts';

// Three nodes with the configuration of deploy/compose, behind its HAProxy, while everything but the balancer is stopped,
// frozen, cut off and killed at random. GATEKEEPER_CHAOS_SECONDS sets for how long, GATEKEEPER_CHAOS_RATE how many
// requests a second are tried, GATEKEEPER_CHAOS_SEED what happens in which order.
const MISSING =
  MISSING_POSTGRES ??
  (REDIS_PROGRAMS.length === 0 ? 'Redis is missing here' : null) ??
  (isInstalled('haproxy') ? null : 'HAProxy is missing here');
const run = MISSING === null ? test.serial : test.serial.skip;
const SECONDS = Number(process.env.GATEKEEPER_CHAOS_SECONDS ?? 30);
const PER_SECOND = Number(process.env.GATEKEEPER_CHAOS_RATE ?? 60);
const SEED = Number(process.env.GATEKEEPER_CHAOS_SEED ?? 20_261_123);
const NODES = 3;
const BUG = /unhandled|internal_error|a request failed|"level":"fatal"/i;
const SHOWN = 3;
const READY_WITHIN_MS = 120_000;
/** A node that is frozen answers nothing. */
const ANSWERS_WITHIN_MS = 10_000;
/** Of the account with a quota: a share of what is tried, so that it is used up where the machine keeps up. */
const QUOTA = Math.max(20, Math.floor(SECONDS * PER_SECOND * 0.05));

run(`chaos: answers and rows agree to the last one${MISSING === null ? '' : `: ${MISSING}`}`, async (t) => {
  t.timeout(SECONDS * 1_000 + 600_000);
  t.log(`${SECONDS} s, ${PER_SECOND} requests a second tried, seed ${SEED}`);
  const password = randomBytes(16).toString('hex');
  const redis = createKeptRedis(password);
  await redis.start();
  t.teardown(() => redis.kill());
  const postgres = await startOwnPostgres(t);
  const app = await openReceivingApp(t);
  const engines = { postgresUrl: postgres.url, redisPort: redis.port(), redisPassword: password };
  const fleet = await startComposeFleet(t, { size: NODES, engines, upstream: app.url, quota: QUOTA });
  const areWell = async () => (await Promise.all(fleet.nodes.map(isWell))).every(Boolean);
  t.true(await until(areWell, READY_WITHIN_MS), 'all nodes are ready');

  const answers = newAnswers();
  const disturbs = [
    (random: Random) => disturbNode(fleet.nodes, random),
    (random: Random) => disturbRedis(redis, random),
    (random: Random) => disturbPostgres(postgres, random),
  ].map((disturb, i) => ({ disturb, random: createRandom(SEED + i) }));
  const [chaos, sent] = await Promise.all([
    disturbFor(SECONDS * 1_000, disturbs, areWell),
    loadFleet(fleet, answers, { perSecond: PER_SECOND, forMs: SECONDS * 1_000 }),
  ]);
  t.log(`events: ${describe(chaos.events)}`);
  t.log(`well again after the last of several events: ${chaos.recoveriesMs.map(toSeconds).join(', ')}`);
  t.log(`${sent} signups, ${(sent / SECONDS).toFixed(0)} a second; answers: ${describe(answers.statuses)}`);
  t.log(`restarts: ${fleet.nodes.map(({ name, restarts }) => `${name} ${restarts()}`).join(', ')}`);

  t.true(await until(areWell, READY_WITHIN_MS), 'all nodes are ready again by themselves');
  const admin = await connectPostgres(postgres.url);
  t.teardown(() => admin.end());
  for (const what of ['a node', 'Redis', 'PostgreSQL'])
    t.true(
      [...chaos.events.keys()].some((event) => event.includes(what)),
      `no event of ${what}`,
    );
  const endings = fleet.nodes.reduce((sum, node) => sum + node.restarts(), 0);
  await rowsAgree(t, admin, { answers, app, endings, quota: QUOTA });
  for (const node of fleet.nodes) {
    t.is(await node.stop(), 0, node.name);
    const bugs = node
      .output()
      .split('\n')
      .filter((line) => BUG.test(line));
    t.deepEqual(bugs.slice(0, SHOWN), []);
  }
});

async function isWell({ apiUrl }: ComposeNode): Promise<boolean> {
  try {
    const response = await fetch(`${apiUrl}/readyz`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    const { status, records, counters } = (await response.json()) as Record<string, unknown>;
    return status === 'ok' && records === undefined && counters === undefined;
  } catch {
    return false;
  }
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function describe(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} x ${what}`).join(', ');
}
