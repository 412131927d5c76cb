import { durationClass } from '../../telemetry/instruments.ts';
import type { DecisionRecord } from './decision-record.ts';
import { hiddenIdentityOf, toCountedColumns } from './decision-row.ts';
import type { RepeatedDecisions, RepeatedRow } from './repeated-decisions.ts';
import type { QuotaOutcome, ScoringWrite } from './scoring-ledger.ts';

/** An entry of a group. The row that it repeats may be missing when the group is written. */
export interface GroupEntry {
  readonly write: ScoringWrite;
  /** Request ids of rows that were erased or deleted, so that it is no repeat of them. */
  readonly missingRows: ReadonlySet<string> | null;
}

/** The parameters of `write_scorings_1`. */
export interface GroupParameters {
  /** The accounts whose quotas are counted or whose answers are stored, each once. Their rows are locked. */
  readonly accounts: readonly string[];
  readonly repeats: readonly RaisedRow[];
  readonly entries: readonly unknown[];
  /** By entry: the row that it repeats. */
  readonly repeatOf: readonly (RepeatedRow | null)[];
}

interface RaisedRow {
  readonly request_id: string;
  readonly processed_at: number;
  times: number;
  last_seen_at: number;
}

/** A new row of the group. Repeats of it within the group are counted before it is written. */
interface NewRow {
  repeats: number;
  last_seen_at: number | undefined;
}

/** Absent values are left out: they are null in the table. */
export function toGroupParameters(
  group: readonly GroupEntry[],
  repeated: Pick<RepeatedDecisions, 'see'>,
): GroupParameters {
  const accounts = new Set<string>();
  const raised = new Map<string, RaisedRow>();
  const inserted = new Map<string, NewRow>();
  const repeatOf: (RepeatedRow | null)[] = [];
  const entries = group.map(({ write, missingRows }, n) => {
    const { decision, quota, answer } = write;
    if (quota) accounts.add(quota.accountId);
    else if (answer && decision.accountId !== null) accounts.add(decision.accountId);
    const sighting = quota || answer ? null : repeated.see(decision);
    const row = sighting?.find(({ requestId }) => !missingRows?.has(requestId)) ?? null;
    repeatOf.push(row);
    if (row) {
      raise(row, decision.processedAt, { raised, inserted });
      return toRepeat(decision, n, row.requestId);
    }
    const entry = toNewRow(write, n);
    if (sighting) {
      sighting.inserted(decision.processedAt);
      inserted.set(decision.requestId, entry);
    }
    return entry;
  });
  return { accounts: [...accounts], repeats: [...raised.values()], entries, repeatOf };
}

function raise(
  { place, requestId }: RepeatedRow,
  seenAt: number,
  { raised, inserted }: { raised: Map<string, RaisedRow>; inserted: ReadonlyMap<string, NewRow> },
): void {
  const own = inserted.get(requestId);
  if (own) {
    own.repeats += 1;
    own.last_seen_at = Math.max(own.last_seen_at ?? 0, seenAt);
    return;
  }
  const row = raised.get(requestId);
  if (row) {
    row.times += 1;
    row.last_seen_at = Math.max(row.last_seen_at, seenAt);
  } else
    raised.set(requestId, { request_id: requestId, processed_at: place, times: 1, last_seen_at: seenAt });
}

function toRepeat(decision: DecisionRecord, n: number, repeatOf: string) {
  const counted = toCountedColumns(decision);
  return {
    n,
    class: durationClass(decision.elapsedMs),
    repeat_of: repeatOf,
    processed_at: counted.processed_at,
    door: counted.door,
    route: counted.route ?? undefined,
    mode: counted.mode ?? undefined,
    risk_level: counted.risk_level,
    wanted_action: counted.wanted_action ?? undefined,
    degraded: counted.degraded,
    test: counted.test,
    codes: counted.codes,
  };
}

function toNewRow({ decision, quota, answer }: ScoringWrite, n: number) {
  const { identity, examinations, lists, elapsedMs, plain } = decision;
  const counted = toCountedColumns(decision);
  return {
    n,
    counted: quota !== null,
    most: quota?.limit ?? undefined,
    class: durationClass(elapsedMs),
    idempotency_key: answer?.idempotencyKey,
    body_sha256: answer?.bodySha256,
    body: answer?.body,
    request_id: decision.requestId,
    processed_at: counted.processed_at,
    door: counted.door,
    account_id: counted.account_id ?? undefined,
    key_id: decision.keyId ?? undefined,
    test: counted.test,
    scope: decision.scope,
    route: counted.route ?? undefined,
    trust_score: decision.trustScore,
    risk_level: counted.risk_level,
    wanted_action: counted.wanted_action ?? undefined,
    action: decision.action ?? undefined,
    mode: counted.mode ?? undefined,
    degraded: counted.degraded,
    mailbox: identity.mailbox ?? undefined,
    spelling: identity.spelling ?? undefined,
    domain: identity.domain ?? undefined,
    network: identity.network,
    template: identity.template ?? undefined,
    user_agent: identity.userAgent ?? undefined,
    codes: counted.codes,
    policy_revision: decision.policyRevision,
    data_revision: decision.dataRevision,
    // Objects, not their text: PostgreSQL stores the text of a nested object, and nothing is escaped twice.
    identity: hiddenIdentityOf(decision),
    detail: { examinations, lists, elapsedMs, plain },
    repeats: 0,
    last_seen_at: undefined as number | undefined,
  };
}

/** An outcome of `write_scorings_1`, besides those that the ledger knows. */
export type WrittenOutcome = QuotaOutcome | 'missing' | AnsweredOutcome;

/** Not written: another process has stored an answer for the same idempotency key. */
export interface AnsweredOutcome {
  readonly granted: null;
  readonly used: number;
}

/** Reads the outcomes that `write_scorings_1` returns: the UTC day, then one for each entry. */
export function readOutcomes(text: string): {
  readonly day: string;
  readonly outcomes: readonly WrittenOutcome[];
} {
  const [day = '', ...words] = text.split(',');
  return { day, outcomes: words.map(toOutcome) };
}

function toOutcome(word: string): WrittenOutcome {
  if (word === 'm') return 'missing';
  if (word.startsWith('a')) return { granted: null, used: Number(word.slice(1)) };
  if (word.startsWith('-')) return { granted: false, used: Number(word.slice(1)), answered: null };
  return { granted: true, used: Number(word) };
}
