import type { ExecutionContext } from 'ava';
import { type Fleet, type Signup, startFleet } from '../helpers/fleet.ts';
import { startRedis } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { applySteadyLoad, type LoadSample, percentileOf } from '../helpers/steady-load.ts';

export interface OutageOptions {
  readonly perSecond: number;
  readonly outageMs: number;
  /** Before the outage. */
  readonly calmMs: number;
  readonly recoveredWithinMs: number;
}

type Outage = 'stopped' | 'late';
const LATE_MS = 2_000;
/** Each of three nodes finds out with three calls; then no call waits. */
const NOTICED_WITHIN_MS = 60_000;
const SAMPLED = 3;

/** Three nodes under load through both doors lose their counters for a while, and no request. */
export async function outliveOutage(
  t: ExecutionContext,
  outage: Outage,
  { perSecond, outageMs, calmMs, recoveredWithinMs }: OutageOptions,
): Promise<void> {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const fleet = await startFleet(t, { size: 3, counters: server.port, records: 'each' });
  const load = async (name: string, forMs: number) => {
    const samples = await applySteadyLoad({ perSecond, forMs, send: (turn) => sendOne(fleet, turn) });
    report(t, name, samples);
    t.deepEqual(failuresOf(samples), []);
    return samples.length;
  };
  t.true(await until(() => countsTogether(fleet), NOTICED_WITHIN_MS));
  await load('before', calmMs);

  if (outage === 'stopped') process.kill(server.pid, 'SIGSTOP');
  else for (const { countersProxy } of fleet.nodes) countersProxy?.delay(LATE_MS);
  const isLocal = async () =>
    (await Promise.all(fleet.nodes.map(({ ready }) => ready()))).every(({ counters }) => counters);
  const [noticed] = await Promise.all([
    until(async () => {
      for (let i = 0; i < fleet.nodes.length; i++) await fleet.score(signupOf('notice'));
      return await isLocal();
    }, NOTICED_WITHIN_MS),
    load('while it is away', outageMs),
  ]);
  t.true(noticed);
  await isMarkedLocal(t, fleet, ['timeout', 'unreachable']);

  if (outage === 'stopped') process.kill(server.pid, 'SIGCONT');
  else for (const { countersProxy } of fleet.nodes) countersProxy?.delay(0);
  t.true(await until(() => countsTogether(fleet), recoveredWithinMs), 'recovered');
  await load('after', calmMs);
  for (const { running } of fleet.nodes) {
    t.notRegex(running.output(), /unhandled|"level":(?:50|60)|Error:/i);
    t.is(await running.end('SIGTERM'), 0);
  }
}

/** What a node shows that counts alone, and that has judged signups of both doors meanwhile. */
export async function isMarkedLocal(
  t: ExecutionContext,
  fleet: Fleet,
  causes: readonly string[],
): Promise<void> {
  for (const node of fleet.nodes) {
    const { status, counters } = await node.ready();
    t.is(status, 200);
    t.regex(counters ?? '', /^local since 2/);
    const fallbacks = causes.map((because) =>
      node.metric('gatekeeper_counters_fallback_total', `because="${because}"`),
    );
    t.true(Math.max(...(await Promise.all(fallbacks))) > 0);
    for (const door of ['api', 'gate'])
      t.true((await node.metric('gatekeeper_degraded_decisions_total', `door="${door}"`)) > 0, door);
    for (let i = 0; i < SAMPLED; i++) {
      const { requestId, status: answered } = await node.score(signupOf('marked'));
      t.is(answered, 200);
      const { degraded, factors } = await node.decision(requestId);
      t.true(degraded);
      const velocity = factors.find(({ factor }) => factor === 'velocity')?.findings ?? [];
      const notEvaluated = velocity.find(({ code }) => code === 'velocity_not_evaluated');
      t.regex(String(notEvaluated?.evidence), new RegExp(`^counters: (${causes.join('|')})$`));
    }
  }
}

let signups = 0;
/** Of a new person, from one of many networks. */
export function signupOf(word: string): Signup {
  const n = signups++;
  return {
    email: `${word}.${n.toString(36)}@gmail.com`,
    ip: `81.${n % 200}.${(n >> 3) % 250}.${1 + (n % 250)}`,
  };
}

/** Through both doors of all nodes in turn. */
async function sendOne(fleet: Fleet, turn: number): Promise<number> {
  if (turn % 2 === 1) return await fleet.signUp(signupOf('gate'));
  return (await fleet.score(signupOf('api'))).status;
}

/** True: the shared counters answered all nodes. */
export async function countsTogether({ nodes }: Fleet): Promise<boolean> {
  for (const node of nodes) {
    const { requestId } = await node.score(signupOf('together'));
    if ((await node.decision(requestId)).degraded) return false;
    if ((await node.ready()).counters !== undefined) return false;
  }
  return true;
}

function failuresOf(samples: readonly LoadSample[]): readonly LoadSample['status'][] {
  return samples.map(({ status }) => status).filter((status) => typeof status !== 'number' || status >= 400);
}

function report(t: ExecutionContext, name: string, samples: readonly LoadSample[]): void {
  const [p50, p99] = [0.5, 0.99].map((share) => percentileOf(samples, share).toFixed(1));
  t.log(`${name}: ${samples.length} requests, p50 ${p50} ms, p99 ${p99} ms`);
}
