import type { ExecutionContext } from 'ava';
import type pg from 'pg';
import { type Fleet, type FleetNode, startFleet } from '../helpers/fleet.ts';
import { connectPostgres } from '../helpers/postgres-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { applySteadyLoad, type LoadSample, percentileOf } from '../helpers/steady-load.ts';
import { signupOf } from './counters-outage.contract.ts';

export interface RecordsFault {
  begin(fleet: Fleet, admin: pg.Client): Promise<void> | void;
  end(fleet: Fleet, admin: pg.Client): Promise<void> | void;
}

export interface RecordsOutageOptions {
  /** Of the database. */
  readonly url: string;
  readonly nodes: number;
  readonly perSecond: number;
  readonly calmMs: number;
  readonly outageMs: number;
  readonly recoveredWithinMs: number;
  /** How long half of the answers of each door may take meanwhile; left out: as long as they do. */
  readonly medianMs?: { readonly api: number; readonly gate: number };
}

/** All that both doors answered. */
export interface Answers {
  /** The ids of scorings that were answered with 200. */
  readonly scored: Set<string>;
  /** Signups that the gate forwarded. */
  forwarded: number;
}

interface Samples {
  readonly api: readonly LoadSample[];
  readonly gate: readonly LoadSample[];
}

const NOTICED_WITHIN_MS = 60_000;
const WRITTEN_WITHIN_MS = 60_000;
const UNKNOWN_KEY = 'a key that no node has seen';

/** Nodes under load through both doors lose their records for a while. */
export async function outliveRecordsOutage(
  t: ExecutionContext,
  fault: RecordsFault,
  { url, nodes, perSecond, calmMs, outageMs, recoveredWithinMs, medianMs }: RecordsOutageOptions,
): Promise<void> {
  const admin = await connectPostgres(url);
  t.teardown(() => admin.end());
  const fleet = await startFleet(t, { size: nodes, counters: 'memory', records: { postgres: url } });
  const answers = newAnswers();
  const load = async (name: string, forMs: number) => {
    const samples = await loadBothDoors(fleet, answers, { perSecond, forMs });
    report(t, name, samples);
    t.deepEqual(statusesOf(samples.gate), [201], `${name}: the gate`);
    return samples;
  };
  await servesAgain(t, { fleet, answers, withinMs: NOTICED_WITHIN_MS });
  t.deepEqual(inTime(await load('before', calmMs)), [200]);

  await fault.begin(fleet, admin);
  const [during] = await Promise.all([
    load('while they are away', outageMs),
    refusesToDecideOnKeys(t, fleet),
    isAwayEverywhere(t, fleet),
  ]);
  t.deepEqual(
    statusesOf(during.api).filter((status) => status !== 200),
    [503],
  );
  t.true(fleet.receivedDegraded() > 0);
  if (medianMs) {
    for (const door of ['api', 'gate'] as const)
      t.true(percentileOf(during[door], 0.5) <= medianMs[door], `the median of the ${door}`);
  }

  await fault.end(fleet, admin);
  await servesAgain(t, { fleet, answers, withinMs: recoveredWithinMs });
  t.deepEqual(inTime(await load('after', calmMs)), [200]);
  await rowsEqualAnswers(t, admin, answers);
  await endsWithoutBugs(t, fleet);
}

export async function loadBothDoors(
  fleet: Fleet,
  answers: Answers,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
): Promise<Samples> {
  const [api, gate] = await Promise.all([
    applySteadyLoad({ perSecond: perSecond / 2, forMs, send: () => scoreOn(fleet, answers) }),
    applySteadyLoad({ perSecond: perSecond / 2, forMs, send: () => signUpOn(fleet, answers) }),
  ]);
  return { api, gate };
}

async function scoreOn(on: Pick<FleetNode, 'score'>, { scored }: Answers): Promise<number> {
  const { status, requestId } = await on.score(signupOf('api'));
  if (status === 200) scored.add(requestId);
  return status;
}

async function signUpOn(on: Pick<FleetNode, 'signUp'>, answers: Answers): Promise<number> {
  const status = await on.signUp(signupOf('gate'));
  if (status === 201) answers.forwarded++;
  return status;
}

/** Without its records, a node does not know which keys are valid. */
async function refusesToDecideOnKeys(t: ExecutionContext, { nodes }: Fleet): Promise<void> {
  for (const node of nodes) {
    const { status, retryAfter } = await node.scoreAs(UNKNOWN_KEY, signupOf('unknown'));
    t.is(status, 503);
    t.is(retryAfter, '1');
  }
}

/** A gate serves without its records, and says since when. */
async function isAwayEverywhere(t: ExecutionContext, { nodes }: Fleet): Promise<void> {
  for (const node of nodes) {
    t.true(await until(async () => (await node.ready()).records !== undefined, NOTICED_WITHIN_MS));
    const { status, records } = await node.ready();
    t.is(status, 200);
    t.regex(records ?? '', /^away since 2/);
  }
}

/** All nodes, through both doors. */
export async function servesAgain(
  t: ExecutionContext,
  {
    fleet,
    answers,
    withinMs,
  }: { readonly fleet: Fleet; readonly answers: Answers; readonly withinMs: number },
): Promise<void> {
  const endedAt = performance.now();
  const serves = async (node: FleetNode) =>
    (await scoreOn(node, answers)) === 200 &&
    (await signUpOn(node, answers)) === 201 &&
    (await node.ready()).records === undefined;
  const served = fleet.nodes.map((node) => until(() => serves(node), withinMs));
  t.deepEqual(
    await Promise.all(served),
    fleet.nodes.map(() => true),
  );
  t.log(`all serve after ${Math.round(performance.now() - endedAt)} ms`);
}

/** What was answered is stored and counted once, and nothing else is. */
export async function rowsEqualAnswers(
  t: ExecutionContext,
  admin: pg.Client,
  { scored, forwarded }: Answers,
): Promise<void> {
  const idsOf = async (door: string) => {
    const { rows } = await admin.query('SELECT request_id FROM decisions WHERE door = $1', [door]);
    return rows.map(({ request_id }) => String(request_id));
  };
  // The gate does not wait for its last rows.
  t.true(await until(async () => (await idsOf('gate')).length >= forwarded, WRITTEN_WITHIN_MS));
  t.is((await idsOf('gate')).length, forwarded);
  const stored = await idsOf('api');
  t.is(new Set(stored).size, stored.length);
  t.deepEqual(
    stored.filter((id) => !scored.has(id)),
    [],
    'stored without an answer',
  );
  t.is(stored.length, scored.size);
  const { rows } = await admin.query('SELECT coalesce(sum(used), 0)::int AS used FROM usage_days');
  t.is(rows[0]?.used, scored.size);
}

export async function endsWithoutBugs(t: ExecutionContext, { nodes }: Fleet): Promise<void> {
  for (const { running } of nodes) {
    t.is(await running.end('SIGTERM'), 0);
    t.notRegex(running.output(), /unhandled|internal_error|a request failed|"level":"fatal"/i);
  }
}

/** A busy machine may take more than the 5 s that an answer waits, but not for all of them. */
function inTime({ api }: Samples): readonly LoadSample['status'][] {
  return statusesOf(api).filter((status) => status !== 503);
}

function statusesOf(samples: readonly LoadSample[]): readonly LoadSample['status'][] {
  return [...new Set(samples.map(({ status }) => status))];
}

function report(t: ExecutionContext, name: string, samples: Samples): void {
  for (const door of ['api', 'gate'] as const) {
    const count = (wanted: LoadSample['status']) =>
      samples[door].filter(({ status }) => status === wanted).length;
    const counts = statusesOf(samples[door])
      .map((status) => `${count(status)} x ${status}`)
      .join(', ');
    const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => percentileOf(samples[door], share).toFixed(0));
    t.log(`${name}, ${door}: ${counts}; p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms`);
  }
}

export function newAnswers(): Answers {
  return { scored: new Set(), forwarded: 0 };
}
