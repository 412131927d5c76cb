import { REASON_PHRASES } from '../src/assessment/reason-phrases.ts';
import { FACTORS, REASONS, type ReasonCode } from '../src/assessment/reasons.ts';

export type Action = 'forward' | 'verify' | 'block';

/** One decision of the gate, as the page of the demo shows it. */
export interface ShownDecision {
  /** Increases by one with each decision. */
  readonly number: number;
  /** Under which the dashboard shows it. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly email: string;
  readonly network: string;
  readonly score: number;
  readonly action: Action;
  /** Without monitor mode. */
  readonly wantedAction: Action;
  readonly because: string;
  /** The spelling style of a surge; null without one. */
  readonly style: string | null;
  /** Made by the simulation of the past week. */
  readonly isPast: boolean;
}

/** Decisions of one day of this machine's time zone. */
export interface Day extends Record<Action, number> {
  /** `2026-11-22`. */
  readonly date: string;
}

export interface DecisionFeed {
  /** @param line of the decision log, parsed. */
  add(line: unknown, isPast: boolean): void;
  /** Newest last, at most `MAX_SHOWN`. */
  after(number: number): readonly ShownDecision[];
  /** The newest decision on that email. */
  of(email: string): ShownDecision | null;
  /** Oldest first. */
  days(): readonly Day[];
}

/** The part of a line of the decision log that the demo reads: docs/exports.md. */
interface LogLine {
  readonly request_id: string;
  readonly repeat_of?: string;
  readonly processed_at: string;
  readonly trust_score: number;
  readonly action: Action;
  readonly wanted_action: Action;
  readonly factors: Readonly<Record<(typeof FACTORS)[number], Factor | null>>;
  readonly network: string;
  readonly plain?: { readonly email: string | null };
}

interface Factor {
  readonly findings: readonly {
    readonly code: ReasonCode;
    readonly fields?: { readonly style?: string } | null;
  }[];
}

/** More than a button sends; a page that was away for longer misses the rest. */
const KEPT = 400;
const MAX_SHOWN = 100;
const MAX_DAYS = 8;
const MAX_REASONS = 2;

export function createDecisionFeed(): DecisionFeed {
  const kept: ShownDecision[] = [];
  const days = new Map<string, Day>();
  let number = 0;
  return {
    add(line, isPast) {
      const { email, ...read } = readLine(line as LogLine);
      number += 1;
      kept.push({ ...read, email: email ?? 'no email', number, isPast });
      if (kept.length > KEPT) kept.shift();
      const date = dateOf(read.at);
      const day = days.get(date) ?? { date, forward: 0, verify: 0, block: 0 };
      day[read.action] += 1;
      days.set(date, day);
      const [oldest] = days.keys();
      if (days.size > MAX_DAYS && oldest !== undefined) days.delete(oldest);
    },
    after: (last) => kept.filter((decision) => decision.number > last).slice(-MAX_SHOWN),
    of: (email) => kept.findLast((decision) => decision.email === email) ?? null,
    days: () => [...days.values()],
  };
}

function readLine(line: LogLine) {
  const findings = FACTORS.flatMap((factor) => line.factors[factor]?.findings ?? []);
  const codes = findings.map(({ code }) => code).toSorted((a, b) => pointsOf(b) - pointsOf(a));
  const phrases = codes.slice(0, MAX_REASONS).map((code) => REASON_PHRASES[code]);
  return {
    id: line.repeat_of ?? line.request_id,
    at: Date.parse(line.processed_at),
    email: line.plain?.email ?? null,
    network: line.network,
    score: line.trust_score,
    action: line.action,
    wantedAction: line.wanted_action,
    because: phrases.length === 0 ? 'nothing against it' : phrases.join(', '),
    style: findings.find(({ fields }) => fields?.style !== undefined)?.fields?.style ?? null,
  };
}

function pointsOf(code: ReasonCode): number {
  const reason = REASONS[code];
  return reason.kind === 'finding' ? reason.points : 0;
}

function dateOf(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
