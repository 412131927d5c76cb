import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { Policy } from '../../assessment/policy.ts';
import type { ReasonCode } from '../../assessment/reasons.ts';
import type { DecisionBounds, DecisionTrim, TrimProgress } from '../retention/decision-bounds.ts';
import type { ErasedDecisions, MailboxHashes } from '../retention/erasure.ts';
import type { DecisionRecord, Label, StoredDecision } from './decision-record.ts';

export interface DecisionStore {
  /** Null when the decision does not exist or belongs to another account. */
  find(requestId: string, accountId: string): Promise<StoredDecision | null>;
  /** False when the decision does not exist or belongs to another account. */
  label(requestId: string, accountId: string, label: Label): Promise<boolean>;
  /** The same for decisions of the gate, which belong to no account. */
  readonly ofGate: {
    find(requestId: string): Promise<StoredDecision | null>;
    label(requestId: string, label: Label): Promise<boolean>;
  };
  /**
   * Stores a decision that counts against no quota (the gate, test keys). Durable once it resolves.
   *
   * @returns the request id of the stored decision. When this decision repeats an earlier one, that of the earlier
   * decision.
   */
  record(decision: DecisionRecord): Promise<string>;
  /** The counted attempts since that time, oldest first. The velocity windows are filled from them at the start. */
  recent(since: number): AsyncIterable<RecentAttempt>;
  /**
   * Decisions in the order in which they got an outcome or a label, from that time on. A decision with a later change
   * is returned again.
   */
  concluded(since: number): AsyncIterable<ConcludedAttempt>;
  /** Revisions that differ only in their lists share one stored policy: each decision stores its lists itself. */
  savePolicy(revision: string, policy: Policy): Promise<'first' | 'new' | 'known'>;
  findPolicy(revision: string): Promise<Policy | null>;
  /**
   * Deletes decisions from before that time and expired answers, in bounded steps. Returns the number of rows.
   *
   * @param now The present time of the clock from which `before` comes. Left out: the time of this node.
   */
  deleteBefore(time: number, now?: number): Promise<number>;
  /**
   * Deletes the oldest decisions beyond the bounds, in bounded steps. One call deletes a bounded number.
   *
   * @param isStopped Called between two steps; true ends the call.
   */
  trim(bounds: DecisionBounds, isStopped?: () => boolean): Promise<TrimProgress>;
  /** The deletions because of the bounds within the last week. */
  trims(): Promise<readonly DecisionTrim[]>;
  /**
   * Deletes the decisions about a mailbox and the rows that depend on them; `Storage.erase` deletes the rest. A sender
   * who corrected another mailbox to this one did not prove to own that one, so of its decisions only those from his network
   * are erased. Returns how many decisions.
   */
  erase(mailbox: MailboxHashes): Promise<number>;
}

/**
 * The deletion of decisions in one engine. `erase` deletes only decisions, not the rows of other topics that depend on
 * them.
 */
export interface DecisionDeletion extends Pick<DecisionStore, 'deleteBefore' | 'trim'> {
  erase(decisions: ErasedDecisions): Promise<number>;
}

/** An attempt with a known result: its sender verified the mailbox or did not, or a person labelled it. */
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
  /**
   * Whether the attempt counts as refused. At the gate: its action is to block, also in monitor mode. At the API, whose
   * caller acts: the risk is high.
   */
  readonly isRefused: boolean;
}
