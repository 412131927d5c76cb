import { randomBytes } from 'node:crypto';
import test from 'ava';
import { type ComposeFleet, startComposeFleet } from '../helpers/compose-fleet.ts';
import { connectPostgres, MISSING_POSTGRES, startOwnPostgres } from '../helpers/postgres-server.ts';
import { isInstalled } from '../helpers/programs.ts';
import { openReceivingApp } from '../helpers/receiving-app.ts';
import { pause, REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/until.ts';

// Three nodes with the files of deploy/compose, of which one after the other is stopped by SIGTERM and started again.
// GATEKEEPER_RESTART_TURNS sets how often each.
const MISSING =
  MISSING_POSTGRES ??
  (REDIS_PROGRAMS.length === 0 ? 'Redis is missing here' : null) ??
  (isInstalled('haproxy') ? null : 'HAProxy is missing here');
const run = MISSING === null ? test.serial : test.serial.skip;
const NODES = 3;
const TURNS = Number(process.env.GATEKEEPER_RESTART_TURNS ?? 1);
const CLIENTS = 6;
/** Between two requests of a client: some 100 requests a second of all, where the machine keeps up. */
const PAUSE_MS = 50;
const HANGS_AFTER_MS = 90_000;

run(
  `nodes that are replaced one after the other fail no request${MISSING === null ? '' : `: ${MISSING}`}`,
  async (t) => {
    t.timeout(900_000);
    const redisPassword = randomBytes(16).toString('hex');
    const redis = await startRedis(['--requirepass', redisPassword], { password: redisPassword });
    t.teardown(() => redis.stop());
    const postgres = await startOwnPostgres(t);
    const app = await openReceivingApp(t);
    const engines = { postgresUrl: postgres.url, redisPort: redis.port, redisPassword };
    const fleet = await startComposeFleet(t, { size: NODES, engines, upstream: app.url, maxLag: '60s' });
    const areBalanced = async () => (await fleet.balanced()).length === NODES;
    await until(areBalanced);

    const seen = { isOver: false, scored: new Set<string>(), passed: 0, signedUp: 0, failed: [] as string[] };
    t.teardown(() => {
      seen.isOver = true;
    });
    const clients = Array.from({ length: CLIENTS }, (_, i) => keepAsking(fleet, i, seen));
    for (let turn = 1; turn <= TURNS; turn++) {
      for (const node of fleet.nodes) {
        const before = seen.scored.size;
        node.signal('SIGTERM');
        await until(() => node.restarts() === turn);
        await until(() => isReady(node.apiUrl));
        await until(areBalanced);
        t.true(seen.scored.size > before, `${node.name}: ${seen.failed.join('; ')}`);
      }
    }
    seen.isOver = true;
    await Promise.all(clients);
    t.log(
      `${NODES * TURNS} restarts; ${seen.scored.size} scored, ${seen.signedUp} signed up, ${seen.passed} passed, ${seen.failed.length} failed`,
    );
    t.deepEqual(seen.failed, []);
    t.true(seen.signedUp > 0 && seen.passed > 0);
    for (const node of fleet.nodes) t.is(await node.stop(), 0, node.name);
    const admin = await connectPostgres(postgres.url);
    t.teardown(() => admin.end());
    const { rows } = await admin.query<{ door: string; n: string }>(
      'SELECT door, sum(1 + repeats) AS n FROM decisions GROUP BY door',
    );
    const stored = new Map(rows.map(({ door, n }) => [door, Number(n)]));
    t.is(stored.get('api'), seen.scored.size, 'each answered score is stored once');
    t.is(stored.get('gate'), seen.signedUp, 'each signup is stored once');
    t.is(app.received.length, seen.signedUp + seen.passed, 'the app got each request once');
  },
);

interface Seen {
  isOver: boolean;
  readonly scored: Set<string>;
  passed: number;
  signedUp: number;
  readonly failed: string[];
}

/** A client that scores, signs up at the gate, and reads a page of the app, in turn. */
async function keepAsking({ apiUrl, gateUrl, key }: ComposeFleet, client: number, seen: Seen): Promise<void> {
  const ask = async (url: string, init: RequestInit, expected: number) => {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(HANGS_AFTER_MS) });
    const body = await answer.text();
    if (answer.status !== expected) throw new Error(`${answer.status} ${body.slice(0, 200)}`);
    return body;
  };
  const address = (turn: number) => `198.51.${client}.${turn % 256}`;
  const email = (turn: number) => `person-${client}-${turn}@example.com`;
  const acts = [
    async (turn: number) => {
      const body = JSON.stringify({ email: email(turn), ip_address: address(turn) });
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await ask(`${apiUrl}/score-signup`, { method: 'POST', headers, body }, 200);
      seen.scored.add((JSON.parse(answer) as { readonly request_id: string }).request_id);
    },
    async (turn: number) => {
      const body = new URLSearchParams({ email: email(turn), password: 'correct horse' });
      const headers = { 'x-forwarded-for': address(turn) };
      await ask(`${gateUrl}/signup`, { method: 'POST', headers, body }, 201);
      seen.signedUp++;
    },
    async () => {
      await ask(`${gateUrl}/about`, {}, 201);
      seen.passed++;
    },
  ];
  for (let turn = 0; !seen.isOver; turn++) {
    const door = ['score', 'sign up', 'pass'][turn % acts.length];
    await acts[turn % acts.length]?.(turn).catch((error: Error) => {
      seen.failed.push(`${door}: ${error.message} ${String(error.cause ?? '')}`);
    });
    await pause(PAUSE_MS);
  }
}

async function isReady(apiUrl: string): Promise<boolean> {
  return await fetch(`${apiUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
