import type { Door } from '../../assessment/attempt.ts';
import type { AttemptIdentity } from '../../assessment/identity.ts';
import type { RiskLevel } from '../../assessment/policy.ts';
import type { Examinations, ListVerdict } from '../../assessment/score.ts';

/** One decision as stored, found by its request id. */
export interface DecisionRecord {
  readonly requestId: string;
  readonly processedAt: number;
  readonly door: Door;
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly test: boolean;
  readonly scope: string;
  readonly route: string | null;
  readonly identity: AttemptIdentity;
  readonly trustScore: number;
  readonly riskLevel: RiskLevel;
  /** The action that was taken. Null for the API, which takes no action. */
  readonly action: 'forward' | 'verify' | 'block' | null;
  /** The action that the route requires. */
  readonly wantedAction: 'forward' | 'verify' | 'block' | null;
  readonly mode: 'enforce' | 'monitor' | null;
  readonly degraded: boolean;
  readonly examinations: Examinations;
  readonly lists: readonly ListVerdict[];
  readonly policyRevision: string;
  readonly dataRevision: string;
  readonly elapsedMs: number;
  /** Only with `privacy.store_plain`. */
  readonly plain: {
    readonly email: string | null;
    readonly ip: string;
    readonly userAgent: string | null;
  } | null;
}

export interface StoredDecision extends DecisionRecord {
  readonly outcome: string | null;
  readonly label: Label | null;
  /** The number of later attempts of the same sender with the same outcome that this row represents. */
  readonly repeats: number;
  /** The time of the last repeat; null without repeats. */
  readonly lastSeenAt: number | null;
}

/** The fields that are needed to compute a decision's score again and to identify it. */
export interface ReplayableDecision
  extends Pick<
    StoredDecision,
    | 'requestId'
    | 'processedAt'
    | 'route'
    | 'trustScore'
    | 'riskLevel'
    | 'examinations'
    | 'lists'
    | 'outcome'
    | 'label'
  > {
  readonly identity: Pick<AttemptIdentity, 'mailbox' | 'domain' | 'network' | 'ip' | 'site'>;
}

/** Past decisions that score alike under every policy, summed up. */
export interface SummedDecisions
  extends Pick<ReplayableDecision, 'examinations' | 'lists' | 'route' | 'riskLevel' | 'outcome' | 'label'> {
  readonly count: number;
  /** The time of the oldest one, in milliseconds since the epoch. */
  readonly processedAt: number;
}

/** A sample of many decisions, each with the number of decisions that it represents. */
export interface SampledDecision extends ReplayableDecision {
  /** A whole number. All of them add up to about the number of matching decisions. */
  readonly count: number;
}

export type Label = 'legitimate' | 'fraud';
