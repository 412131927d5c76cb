import type {
  Label,
  ReplayableDecision,
  SampledDecision,
  StoredDecision,
  SummedDecisions,
} from '../decision-record.ts';
import type { Campaign, CampaignQuery, Campaigns } from './campaign.ts';
import type { CampaignDetails } from './campaign-details.ts';
import type { CampaignReach, ReachQuery } from './campaign-reach.ts';
import type { DecisionFilter } from './decision-filter.ts';

export type Likeness = 'mailbox' | 'template' | 'device' | 'network' | 'domain';

/**
 * Attempts of the same account, or of the gate, that share a value with the decision; the decision itself counts too.
 */
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
  /** Set when there were too many attempts to count the whole day: counted back to this time. */
  readonly countedBackTo: number | null;
}

export interface NamedKey {
  readonly name: string;
  readonly accountName: string;
}

export interface DecisionPage {
  /** Newest first. */
  readonly decisions: readonly StoredDecision[];
  /** The cursor of the next page; null when nothing older can match. */
  readonly next: string | null;
  /**
   * Set when the page is not full and the search is not complete: it has reached this time, and `next` goes on from
   * there.
   */
  readonly searchedBackTo: number | null;
}

/** Decisions for the dashboard: filtered, paged, labelled, exported. Long reads delay no signup. */
export interface DecisionSearch {
  /**
   * @param cursor `next` of the page before; null: the newest.
   * @returns null when the cursor is invalid.
   */
  page(filter: DecisionFilter, cursor: string | null, limit: number): Promise<DecisionPage | null>;
  /**
   * Null when the decision does not exist or belongs to another account. Without an `accountId`, every decision is
   * searched.
   */
  find(requestId: string, accountId: string | null): Promise<StoredDecision | null>;
  /**
   * Decisions whose request id begins with a text of at least eight characters, the latest first. For an account, of the
   * latest 20,000 such decisions.
   */
  beginning(
    text: string,
    wanted: { readonly accountId: string | null; readonly limit: number },
  ): Promise<readonly StoredDecision[]>;
  /**
   * Every match, newest first, in chunks of at most 500; a chunk may be empty. The search ends when the caller stops
   * iterating.
   */
  scan(filter: DecisionFilter): AsyncIterable<readonly StoredDecision[]>;
  /** The same with only the fields for a replay, in half the time. */
  scanReplayable(filter: DecisionFilter): AsyncIterable<readonly ReplayableDecision[]>;
  /**
   * Every match, newest first, summed up in chunks of some thousand decisions. The database groups them: this takes a
   * fraction of the time of `scanReplayable`, and almost none of the event loop.
   */
  scanSummed(filter: DecisionFilter): AsyncIterable<readonly SummedDecisions[]>;
  /**
   * A sample of the matches, in a bounded time for any number of matches. It has up to some thousand of the newest
   * decisions with a known outcome or label, and a random selection of the others.
   */
  sample(filter: DecisionFilter): Promise<readonly SampledDecision[]>;
  /** Attempts like this one in the day before it, as its velocity counted them. */
  around(decision: StoredDecision): Promise<AroundDecision>;
  /** Sets or removes the label. False when the decision does not exist or belongs to another account. */
  label(requestId: string, accountId: string | null, label: Label | null): Promise<boolean>;
  /** The keys of decisions, by id. Deleted keys are missing. */
  keys(keyIds: readonly string[]): Promise<ReadonlyMap<string, NamedKey>>;
  /** Groups of attempts that share a value, the largest first. */
  campaigns(query: CampaignQuery): Promise<Campaigns>;
  /** The attempts of a campaign's key in that time, among the newest 150,000. */
  reach(query: ReachQuery): Promise<CampaignReach>;
  /** More about a campaign that `campaign` returned, of the same attempts. */
  details(campaign: Campaign): Promise<CampaignDetails>;
  /** The text of a template, `promo.user#`; null when none of the newest 60,000 decisions of that time names it. */
  patternName(query: Pick<ReachQuery, 'key' | 'from' | 'to'>): Promise<string | null>;
  /** The same for many, each by its newest decision. A template without a stored text is missing. */
  patternNames(campaigns: readonly Pick<Campaign, 'key' | 'last'>[]): Promise<ReadonlyMap<string, string>>;
  /** One campaign by its key, of any size; null when it has no attempts. */
  campaign(query: CampaignQuery, key: string): Promise<Campaign | null>;
  /**
   * The different mailboxes (pseudonyms), networks or domains of matching decisions, at most `limit`, among the newest
   * 60,000 of the filter's time. Domains of public mail providers are left out.
   */
  values(
    filter: DecisionFilter,
    wanted: { readonly of: 'mailbox' | 'network' | 'domain'; readonly limit: number },
  ): Promise<readonly string[]>;
}
