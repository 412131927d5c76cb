import { randomUUID } from 'node:crypto';
import type { ComposeFleet } from '../helpers/compose-fleet.ts';
import { pause } from '../helpers/redis-server.ts';
import { applySteadyLoad } from '../helpers/steady-load.ts';
import { signupOf } from './counters-outage.contract.ts';

/** Longer than any answer of the product or the balancer takes. */
const HANGS_AFTER_MS = 90_000;
const TRY_AGAIN_MS = 1_000;
/** Of a signup with a key of its own: longer than all nodes are away. */
const TRIES_FOR_MS = 540_000;
const BY_BALANCER = ' by the balancer';
/** Answered by Gatekeeper, which says that nothing was stored. */
const REFUSED = new Set([429, 503]);

/** What all clients of the API and of the app saw. */
export interface Answers {
  /** Answers with 200: their scores by request id. */
  readonly scored: Map<string, number>;
  /** Emails of signups through the gate that the app answered. */
  readonly signedUp: Set<string>;
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
    ...{ scored: new Map<string, number>(), signedUp: new Set<string>() },
    ...{ refused: new Set<string>(), unexpected: [] as string[] },
    statuses: new Map<string, number>(),
    ...{ cut: 0, repeated: 0, unanswered: 0 },
  };
}

/**
 * A quarter is scored once, a quarter is scored with an idempotency key until it is answered, a quarter is of an account
 * with a quota, a quarter goes through the gate.
 */
export async function loadFleet(
  fleet: ComposeFleet,
  answers: Answers,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
): Promise<number> {
  const send = (turn: number) =>
    [scoreOnce, scoreUntilAnswered, scoreLimited, signUp][turn % 4]?.(fleet, answers) ?? 0;
  const samples = await applySteadyLoad({ perSecond, forMs, send: async (turn) => await send(turn) });
  return samples.length;
}

async function scoreOnce(fleet: ComposeFleet, answers: Answers): Promise<number> {
  const answer = await score(fleet, answers, { 'x-api-key': fleet.key });
  if (answer === 'cut') answers.cut++;
  return 0;
}

async function scoreLimited(fleet: ComposeFleet, answers: Answers): Promise<number> {
  const answer = await score(fleet, answers, { 'x-api-key': fleet.limitedKey });
  if (answer === 'cut') answers.cut++;
  return 0;
}

/** As a client does that must not lose a signup and must not pay twice. */
async function scoreUntilAnswered(fleet: ComposeFleet, answers: Answers): Promise<number> {
  const headers = { 'x-api-key': fleet.key, 'idempotency-key': randomUUID() };
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

interface ScoreAnswer {
  readonly request_id: string;
  readonly trust_score: number;
}

function bodyOf(): string {
  const { email, ip } = signupOf('api');
  return JSON.stringify({ email, ip_address: ip });
}

async function score(
  { apiUrl }: ComposeFleet,
  answers: Answers,
  headers: Readonly<Record<string, string>>,
  body = bodyOf(),
): Promise<'scored' | 'refused' | 'cut'> {
  try {
    const response = await fetch(`${apiUrl}/score-signup`, {
      ...{ method: 'POST', body, signal: AbortSignal.timeout(HANGS_AFTER_MS) },
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    const problem = problemOf(response, text);
    note(answers, `api ${response.status}${problem}`);
    if (problem === BY_BALANCER) return 'cut';
    const { request_id: requestId, trust_score: trustScore } = JSON.parse(text) as ScoreAnswer;
    if (response.status === 200) answers.scored.set(requestId, trustScore);
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
    if (response.status === 201) answers.signedUp.add(email);
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
