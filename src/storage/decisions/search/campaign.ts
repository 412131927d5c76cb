import type { ReasonCode } from '../../../assessment/reasons.ts';

export const CAMPAIGN_KINDS = ['template', 'domain', 'backend', 'cohort', 'network', 'device'] as const;
export type CampaignKind = (typeof CAMPAIGN_KINDS)[number];

/** Different mailboxes. Fewer may be a family. */
export const SMALLEST_CAMPAIGN = 5;
export const MAX_CAMPAIGNS = 100;

/** Classifications of mailboxes that strangers cannot easily get. */
export const TRUSTED: readonly ReasonCode[] = ['education_email', 'government_email'];
/** Too many attempts at once. */
export const BURSTS: readonly ReasonCode[] = [
  ...([
    'ip_burst',
    'subnet_burst',
    'domain_burst',
    'device_burst',
    'template_burst',
    'cohort_surge',
  ] as const),
];

export interface CampaignQuery {
  /** Null means all accounts and the gate. */
  readonly accountId: string | null;
  readonly kind: CampaignKind;
  /** Milliseconds since the epoch: `from` included, `to` not. */
  readonly from: number;
  readonly to: number;
}

export interface Campaign {
  readonly kind: CampaignKind;
  /**
   * The value that they share: the domain, the network, the pseudonym of the template, the style of a surge, the host
   * behind the mail servers, or for a device its network, a space and the pseudonym of the user agent.
   */
  readonly key: string;
  readonly attempts: number;
  /** Different mailboxes. */
  readonly mailboxes: number;
  readonly networks: number;
  readonly domains: number;
  readonly levels: { readonly low: number; readonly medium: number; readonly high: number };
  /** See `DecisionFilter.passed`. */
  readonly passed: number;
  /** Attempts whose sender confirmed the mailbox. */
  readonly verified: number;
  /** Attempts with that label. */
  readonly legitimate: number;
  readonly fraud: number;
  /** Attempts with a mailbox of a school, a university or a government. */
  readonly trusted: number;
  /** Attempts that exceeded a limit of velocity in any dimension. */
  readonly bursts: number;
  readonly first: number;
  readonly last: number;
  /** The domains of a backend, at most 100, by which its decisions are found; empty for other kinds. */
  readonly backendDomains: readonly string[];
}

export interface Campaigns {
  /** The campaigns, at most 100; those with the most mailboxes come first. */
  readonly campaigns: readonly Campaign[];
  /** Set when there were too many attempts to search the whole time: searched back to this time. */
  readonly searchedBackTo: number | null;
}
