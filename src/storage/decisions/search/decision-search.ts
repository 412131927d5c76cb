import type { Label, ReplayableDecision, StoredDecision } from '../decision-record.ts';
import type { Campaign, CampaignQuery, Campaigns } from './campaign.ts';
import type { DecisionFilter } from './decision-filter.ts';

export type Likeness = 'mailbox' | 'template' | 'device' | 'network' | 'domain';

/** Attempts of the same traffic that share one thing with the decision, itself included. */
export interface LikeAttempts {
  readonly likeness: Likeness;
  readonly attempts: Counts;
  readonly mailboxes: Counts;
}

export interface Counts {
  readonly tenMinutes: number;
  readonly hour: number;
  readonly day: number;
}

export interface AroundDecision {
  readonly likenesses: readonly LikeAttempts[];
  /** Set when so much came in that less than the day was looked at: back to this time (milliseconds). */
  readonly countedBackTo: number | null;
}

export interface NamedKey {
  readonly name: string;
  readonly accountName: string;
}

export interface DecisionPage {
  /** Newest first. */
  readonly decisions: readonly StoredDecision[];
  /** Where to go on; null when nothing older can match. */
  readonly next: string | null;
  /**
   * Set when the page is not full, and yet not all was looked at: decisions back to this time (milliseconds) were.
   * `next` goes on from there.
   */
  readonly searchedBackTo: number | null;
}

/** Decisions as people look at them: filtered, paged, labelled, exported. Reads that take long hold up no signup. */
export interface DecisionSearch {
  /**
   * @param cursor `next` of the page before; null for the newest.
   * @returns null when the cursor was not made here.
   */
  page(filter: DecisionFilter, cursor: string | null, limit: number): Promise<DecisionPage | null>;
  /** Null where there is none of that id, or it is another account's. `accountId` null: of any account, the gate's too. */
  find(requestId: string, accountId: string | null): Promise<StoredDecision | null>;
  /**
   * Every match, newest first, in chunks of at most 500 and as the reading gets on: a chunk may be empty. Whoever stops
   * taking them ends the reading.
   */
  scan(filter: DecisionFilter): AsyncIterable<readonly StoredDecision[]>;
  /** The same with what a replay takes of them, in half the time. */
  scanReplayable(filter: DecisionFilter): AsyncIterable<readonly ReplayableDecision[]>;
  /** What else its velocity counted: attempts like this one in the day before it. */
  around(decision: StoredDecision): Promise<AroundDecision>;
  /** Sets the label, or takes it away. False where there is none of that id, or it is another account's. */
  label(requestId: string, accountId: string | null, label: Label | null): Promise<boolean>;
  /** The keys that decisions were asked for with, by id; one that was deleted is missing. */
  keys(keyIds: readonly string[]): Promise<ReadonlyMap<string, NamedKey>>;
  /** Attempts that have one thing in common, the largest crowds first. */
  campaigns(query: CampaignQuery): Promise<Campaigns>;
  /** One of them by its key, however small it is by now; null when it has no attempt left. */
  campaign(query: CampaignQuery, key: string): Promise<Campaign | null>;
  /**
   * The different mailboxes (pseudonyms), networks or domains of the decisions that fit, at most `limit`, among the
   * newest 60,000 of their time. Domains of mail providers open to everyone are left out.
   */
  values(
    filter: DecisionFilter,
    wanted: { readonly of: 'mailbox' | 'network' | 'domain'; readonly limit: number },
  ): Promise<readonly string[]>;
}
