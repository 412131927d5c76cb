import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { Policy } from '../../assessment/policy.ts';
import type { ReasonCode } from '../../assessment/reasons.ts';
import type { DecisionBounds, DecisionTrim, TrimProgress } from '../retention/decision-bounds.ts';
import type { MailboxHashes } from '../retention/erasure.ts';
import type { DecisionRecord, Label, StoredDecision } from './decision-record.ts';

export interface DecisionStore {
  /** Null when there is none with that id, or it belongs to another account. */
  find(requestId: string, accountId: string): Promise<StoredDecision | null>;
  /** False when there is none with that id, or it belongs to another account. */
  label(requestId: string, accountId: string, label: Label): Promise<boolean>;
  /** The same for decisions of the gate, which belong to no account. */
  readonly ofGate: {
    find(requestId: string): Promise<StoredDecision | null>;
    label(requestId: string, label: Label): Promise<boolean>;
  };
  /**
   * Stores a decision that counts against no quota (the gate, test keys). Durable once it resolves.
   *
   * @returns the request id of the stored decision: an earlier one's where this decision repeats it.
   */
  record(decision: DecisionRecord): Promise<string>;
  /** Counted attempts since then, oldest first: the velocity windows are filled from them at the start. */
  recent(since: number): AsyncIterable<RecentAttempt>;
  /** Decisions in the order in which they got an outcome or a label, from that time on. Later changes come again. */
  concluded(since: number): AsyncIterable<ConcludedAttempt>;
  /** Revisions that differ only in their lists share one stored policy: each decision stores its lists itself. */
  savePolicy(revision: string, policy: Policy): Promise<'first' | 'new' | 'known'>;
  findPolicy(revision: string): Promise<Policy | null>;
  /**
   * Deletes decisions from before that time and expired answers, in bounded steps. Returns how many rows.
   *
   * @param now By the clock that the time comes from; left out: this node's.
   */
  deleteBefore(time: number, now?: number): Promise<number>;
  /**
   * Deletes the oldest decisions beyond the bounds, in bounded steps. One call does a bounded part of it.
   *
   * @param isStopped Asked between two steps.
   */
  trim(bounds: DecisionBounds, isStopped?: () => boolean): Promise<TrimProgress>;
  /** What was deleted for the bounds within the last week. */
  trims(): Promise<readonly DecisionTrim[]>;
  /**
   * Deletes the decisions about a mailbox and the rows that depend on them; `Storage.erase` deletes the rest. Returns
   * how many.
   */
  erase(mailbox: MailboxHashes): Promise<number>;
}

/** How an engine deletes decisions; `erase` only those, not the rows of other topics that depend on them. */
export type DecisionDeletion = Pick<DecisionStore, 'deleteBefore' | 'trim' | 'erase'>;

/** An attempt whose sender verified the mailbox, or did not, or that a person labelled. */
export interface ConcludedAttempt extends RecentAttempt {
  readonly concludedAt: number;
  readonly outcome: string | null;
  readonly label: Label | null;
  readonly codes: readonly ReasonCode[];
}

export interface RecentAttempt {
  readonly processedAt: number;
  readonly scope: string;
  readonly identity: AttemptIdentity;
  /** For the gate: its action is to block, also in monitor mode. For the API, whose caller acts: the risk is high. */
  readonly isRefused: boolean;
}
