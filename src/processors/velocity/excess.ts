import type { FindingCode } from '../../assessment/reasons.ts';
import type { VelocityDimensionName } from '../../config/config.ts';
import {
  type CounterDimension,
  WINDOWS_MS,
  type WindowCounts,
  type WindowName,
} from '../../counters/counters.ts';
import type { Allowance } from './allowance.ts';
import type { VelocityLimits } from './velocity-limits.ts';

/** A dimension that has limits: `colleagues` have none, they only tell an office from a crowd. */
export type CountedDimension = Exclude<CounterDimension, 'colleagues'>;

/** How a dimension is limited and what is said when it is over. */
export interface DimensionRule {
  readonly limits: VelocityDimensionName;
  readonly code: FindingCode;
  /** What is counted, for the evidence. */
  readonly counted: string;
  /**
   * True where only the sender fills it: a burst may be decisive. Whatever a sender merely claims, or shares with
   * strangers, others can fill for them.
   */
  readonly isOwn: boolean;
}

/** `site` is an IPv6 /64: one household or server, so it counts like an address. */
export const DIMENSION_RULES: Readonly<Record<CountedDimension, DimensionRule>> = {
  ip: own({ limits: 'ip', code: 'ip_burst', counted: 'mailboxes from one address' }),
  site: own({ limits: 'ip', code: 'ip_burst', counted: 'mailboxes from one /64' }),
  subnet: shared({ limits: 'subnet', code: 'subnet_burst', counted: 'mailboxes from one network' }),
  mailbox: shared({ limits: 'mailbox', code: 'mailbox_reuse', counted: 'spellings of one mailbox' }),
  domain: shared({ limits: 'domain', code: 'domain_burst', counted: 'mailboxes of one domain' }),
  device: shared({ limits: 'device', code: 'device_burst', counted: 'mailboxes from one device' }),
  template: shared({ limits: 'template', code: 'template_burst', counted: 'mailboxes of one pattern' }),
};

function own(rule: Omit<DimensionRule, 'isOwn'>): DimensionRule {
  return { ...rule, isOwn: true };
}

function shared(rule: Omit<DimensionRule, 'isOwn'>): DimensionRule {
  return { ...rule, isOwn: false };
}

const WINDOW_WORDS: Readonly<Record<WindowName, string>> = {
  per_minute: 'a minute',
  per_10_minutes: '10 minutes',
  per_hour: 'an hour',
  per_day: 'a day',
};

/** The window that is fullest, measured by its limit. */
export interface Excess {
  readonly window: WindowName;
  readonly count: number;
  /** With the allowance. */
  readonly limit: number;
  /** 1 is at the limit. */
  readonly ratio: number;
}

const WINDOW_NAMES = Object.keys(WINDOWS_MS) as readonly WindowName[];

/** @returns null where nothing is limited, or no more than one was counted: one mailbox alone is never a burst. */
export function worstExcess(
  limits: VelocityLimits[VelocityDimensionName],
  counts: WindowCounts,
  { factor }: Pick<Allowance, 'factor'>,
): Excess | null {
  let worst: Excess | null = null;
  for (const window of WINDOW_NAMES) {
    const configured = limits[window];
    const count = counts[window];
    if (configured === undefined || count < 2) continue;
    const limit = Math.ceil(configured * factor);
    const ratio = count / limit;
    if (!worst || ratio > worst.ratio) worst = { window, count, limit, ratio };
  }
  return worst;
}

/** `14 mailboxes from one address in an hour, limit 10`. Counts and words only: nothing that names a person. */
export function describeExcess({ counted }: DimensionRule, excess: Excess, { why }: Allowance): string {
  const limit = why ? `limit ${excess.limit} (${why})` : `limit ${excess.limit}`;
  return `${excess.count} ${counted} in ${WINDOW_WORDS[excess.window]}, ${limit}`;
}
