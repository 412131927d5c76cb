import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type pg from 'pg';
import type { ComposeFleet, ReceivingApp } from '../helpers/compose-fleet.ts';
import { pause } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { applySteadyLoad } from '../helpers/steady-load.ts';
import { signupOf } from './counters-outage.contract.ts';

/** Longer than any answer of the product or the balancer takes. */
const HANGS_AFTER_MS = 90_000;
const TRY_AGAIN_MS = 1_000;
/** Of the product: decisions in one transaction. */
const GROUP = 500;
/** Of a signup with a key of its own: longer than all nodes are away. */
const TRIES_FOR_MS = 540_000;
const WRITTEN_WITHIN_MS = 120_000;
const BY_BALANCER = ' by the balancer';
/** Answered by Gatekeeper, which says that nothing was stored. */
const REFUSED = new Set([429, 503]);

/** What all clients of the API and of the app saw. */
export interface Answers {
  /** Request ids of answers with 200. */
  readonly scored: Set<string>;
  /** Request ids of refusals: these are not stored. */
  readonly refused: Set<string>;
  /** Requests to the API without an answer of Gatekeeper: it may have stored them, and could not say so. */
  cut: number;
  /** Signups with a key of their own that were sent more than once, and those that were never answered. */
  repeated: number;
  unanswered: number;
  /** Statuses that the API gives for none of these faults. */
  readonly unexpected: string[];
  /** By door and status. */
  readonly statuses: Map<string, number>;
}

export function newAnswers(): Answers {
  return {
    ...{ scored: new Set<string>(), refused: new Set<string>(), unexpected: [] as string[] },
    statuses: new Map<string, number>(),
    ...{ cut: 0, repeated: 0, unanswered: 0 },
  };
}

/** A third is scored once, a third is scored with an idempotency key until it is answered, a third goes through the gate. */
export async function loadFleet(
  fleet: ComposeFleet,
  answers: Answers,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
): Promise<number> {
  const send = (turn: number) => [scoreOnce, scoreUntilAnswered, signUp][turn % 3]?.(fleet, answers) ?? 0;
  const samples = await applySteadyLoad({ perSecond, forMs, send: async (turn) => await send(turn) });
  return samples.length;
}

async function scoreOnce(fleet: ComposeFleet, answers: Answers): Promise<number> {
  const answer = await score(fleet, answers, {});
  if (answer === 'cut') answers.cut++;
  return 0;
}

/** As a client does that must not lose a signup and must not pay twice. */
async function scoreUntilAnswered(fleet: ComposeFleet, answers: Answers): Promise<number> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = bodyOf();
  const begunAt = performance.now();
  for (let tries = 0; performance.now() - begunAt < TRIES_FOR_MS; tries++) {
    if (tries === 1) answers.repeated++;
    if ((await score(fleet, answers, headers, body)) === 'scored') return 0;
    await pause(TRY_AGAIN_MS);
  }
  answers.unanswered++;
  return 0;
}

function bodyOf(): string {
  const { email, ip } = signupOf('api');
  return JSON.stringify({ email, ip_address: ip });
}

async function score(
  { apiUrl, key }: ComposeFleet,
  answers: Answers,
  headers: Readonly<Record<string, string>>,
  body = bodyOf(),
): Promise<'scored' | 'refused' | 'cut'> {
  try {
    const response = await fetch(`${apiUrl}/score-signup`, {
      ...{ method: 'POST', body, signal: AbortSignal.timeout(HANGS_AFTER_MS) },
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    const problem = problemOf(response, text);
    note(answers, `api ${response.status}${problem}`);
    if (problem === BY_BALANCER) return 'cut';
    const { request_id: requestId } = JSON.parse(text) as { readonly request_id: string };
    if (response.status === 200) answers.scored.add(requestId);
    else if (REFUSED.has(response.status)) answers.refused.add(requestId);
    else answers.unexpected.push(text);
    return response.status === 200 ? 'scored' : 'refused';
  } catch (error) {
    note(answers, `api ${String((error as Error).cause ?? error)}`);
    return 'cut';
  }
}

async function signUp({ gateUrl }: ComposeFleet, answers: Answers): Promise<number> {
  const { email, ip } = signupOf('gate');
  try {
    const response = await fetch(`${gateUrl}/signup`, {
      ...{ method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(HANGS_AFTER_MS) },
      headers: { 'x-forwarded-for': ip },
      body: new URLSearchParams({ email, password: 'correct horse' }),
    });
    note(answers, `gate ${response.status}${problemOf(response, await response.text())}`);
  } catch (error) {
    note(answers, `gate ${String((error as Error).cause ?? error)}`);
  }
  return 0;
}

/** The code of a problem of Gatekeeper, or who answered else. */
function problemOf({ status, headers }: Response, text: string): string {
  if (status < 400) return '';
  // HAProxy answers with a page of its own.
  if (!/json/.test(headers.get('content-type') ?? '')) return BY_BALANCER;
  return ` ${(JSON.parse(text) as { readonly code: string }).code}`;
}

function note({ statuses }: Answers, what: string): void {
  statuses.set(what, (statuses.get(what) ?? 0) + 1);
}

export interface Ended {
  readonly answers: Answers;
  readonly app: ReceivingApp;
  /** How often a process of a node has ended. Each may leave its last group: refused, and not taken back any more. */
  readonly endings: number;
}

/** After the last answer: what was answered is stored and counted exactly once, and what was refused is not. */
export async function rowsAgree(
  t: ExecutionContext,
  admin: pg.Client,
  { answers, app, endings }: Ended,
): Promise<void> {
  const numberOf = async (sql: string) => Number((await admin.query(`SELECT (${sql}) AS n`)).rows[0]?.n ?? 0);
  const idsOf = async (door: string) => {
    const { rows } = await admin.query('SELECT request_id FROM decisions WHERE door = $1', [door]);
    return rows.map(({ request_id }) => String(request_id));
  };
  const api = await idsOf('api');
  const stored = new Set(api);
  t.is(stored.size, api.length, 'scorings that are stored twice');
  const missing = [...answers.scored].filter((id) => !stored.has(id));
  t.deepEqual(missing, [], 'answered and not stored');
  // A request that is repeated with its key gets the id of the first try.
  const left = [...answers.refused].filter((id) => stored.has(id) && !answers.scored.has(id));
  t.true(left.length <= endings * GROUP, `${left.length} refused and stored, ${endings} ends of nodes`);
  t.deepEqual(answers.unexpected, []);
  t.is(answers.unanswered, 0, 'signups with a key of their own that were never answered');
  const silent = api.length - answers.scored.size;
  t.true(silent <= answers.cut + left.length, `${silent} stored without an answer, ${answers.cut} cut`);
  t.is(
    await numberOf('SELECT coalesce(sum(used), 0) FROM usage_days'),
    api.length,
    'counted for the account',
  );

  const gate = await idsOf('gate');
  const judged = new Set(gate);
  t.is(judged.size, gate.length, 'signups of the gate that are stored twice');
  const forwarded = app.received.map(({ requestId }) => requestId);
  t.is(new Set(forwarded).size, forwarded.length, 'signups that the app received twice');
  const lost = app.received.filter(({ requestId }) => !judged.has(requestId));
  t.deepEqual(
    lost.filter(({ isDegraded }) => !isDegraded),
    [],
    'forwarded as stored, and not stored',
  );
  const all = api.length + gate.length;
  const counted = "SELECT sum(count) FROM rollup_decisions WHERE scope = '*'";
  t.true(
    await until(async () => (await numberOf(counted)) >= all, WRITTEN_WITHIN_MS),
    'counted for the overview',
  );
  t.is(await numberOf(counted), all, 'counted for the overview');
  t.log(
    `API: ${answers.scored.size} answered and stored once, ${answers.refused.size} refused, of which ${left.length} were left by a node that ended, ` +
      `${answers.cut} cut, of which ${silent} are stored; ${answers.repeated} sent again with their key`,
  );
  t.log(
    `gate: ${forwarded.length} forwarded, ${gate.length} stored; ${lost.length} of a node that was killed are not, ` +
      'all marked for the app',
  );
}
