import { type Expression, type SqlBool, sql } from 'kysely';
import type { ReasonCode } from '../../../assessment/reasons.ts';
import type { Examinations } from '../../../assessment/score.ts';
import { readExaminations } from '../read-examinations.ts';
import { BURSTS, type Campaign, MAX_CAMPAIGNS, SMALLEST_CAMPAIGN, TRUSTED } from './campaign.ts';
import { type DecisionQuery, hasCode, hasPassed, hasStyle } from './decision-filter.ts';

/** For each kind, the finding whose evidence contains the shared value. */
const EVIDENCE = {
  backend: { code: 'disposable_mail_exchange', factor: 'email', field: 'mail_server' },
  cohort: { code: 'cohort_surge', factor: 'velocity', field: 'style' },
} as const;
export type EvidenceKind = keyof typeof EVIDENCE;

/** Whole rows are read: 4 KB each at most. */
const MAX_ROWS = 2_000;
/** The largest number of domains that fit into the URL of a page. */
const MAX_DOMAINS = 100;

/**
 * The mail servers of a disposable mail service are stored as evidence, and the style of a surge; those of other attempts
 * are not. Reads the newest 2,000 such attempts.
 */
export async function findEvidenceCampaigns(
  attempts: DecisionQuery,
  kind: EvidenceKind,
): Promise<readonly Campaign[]> {
  const groups = await groupByEvidence(attempts, kind);
  return groups
    .filter(({ mailboxes }) => mailboxes >= SMALLEST_CAMPAIGN)
    .sort((a, b) => b.mailboxes - a.mailboxes)
    .slice(0, MAX_CAMPAIGNS);
}

/** One campaign, of any size. */
export async function findEvidenceCampaign(
  attempts: DecisionQuery,
  kind: EvidenceKind,
  key: string,
): Promise<Campaign | null> {
  return (await groupByEvidence(attempts, kind)).find((campaign) => campaign.key === key) ?? null;
}

/** Whether an attempt belongs to the campaign, without reading whole rows for a backend. */
export function isOfEvidence(
  kind: EvidenceKind,
  { key, backendDomains }: Pick<Campaign, 'key' | 'backendDomains'>,
): Expression<SqlBool> {
  const code = hasCode(EVIDENCE[kind].code);
  if (kind === 'cohort') return sql<SqlBool>`(${code} AND ${hasStyle(key)})`;
  return backendDomains.length === 0
    ? sql<SqlBool>`(${code} AND domain IS NULL)`
    : sql<SqlBool>`(${code} AND domain IN (${sql.join(backendDomains)}))`;
}

async function groupByEvidence(attempts: DecisionQuery, kind: EvidenceKind): Promise<readonly Campaign[]> {
  const rows = await attempts
    .where(hasCode(EVIDENCE[kind].code))
    .select((where) => [
      'processed_at',
      'mailbox',
      'network',
      'domain',
      'risk_level',
      'repeats',
      'detail',
      'codes',
      'outcome',
      'label',
      where.case().when(hasPassed(where)).then(1).else(0).end().as('passed'),
    ])
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute();
  const groups = new Map<string, Member[]>();
  for (const row of rows) {
    const key = keyIn(row.detail, kind);
    const group = groups.get(key) ?? [];
    group.push(row);
    groups.set(key, group);
  }
  return [...groups].map(([key, members]) => toCampaign(kind, key, members));
}

interface Member {
  readonly processed_at: number;
  readonly mailbox: string | null;
  readonly network: string;
  readonly domain: string | null;
  readonly risk_level: string;
  readonly repeats: number;
  readonly passed: number;
  readonly codes: string;
  readonly outcome: string | null;
  readonly label: string | null;
}

function toCampaign(kind: EvidenceKind, key: string, members: readonly Member[]): Campaign {
  const different = (values: readonly (string | null)[]) => new Set(values.filter((v) => v !== null)).size;
  const attemptsOf = (some: readonly Member[]) => some.reduce((sum, { repeats }) => sum + 1 + repeats, 0);
  const ofLevel = (level: string) => attemptsOf(members.filter(({ risk_level }) => risk_level === level));
  const times = members.map(({ processed_at }) => processed_at);
  return {
    kind,
    key,
    attempts: attemptsOf(members),
    mailboxes: different(members.map(({ mailbox }) => mailbox)),
    networks: different(members.map(({ network }) => network)),
    domains: different(members.map(({ domain }) => domain)),
    levels: { low: ofLevel('low'), medium: ofLevel('medium'), high: ofLevel('high') },
    passed: attemptsOf(members.filter(({ passed }) => passed === 1)),
    verified: attemptsOf(members.filter(({ outcome }) => outcome === 'verified')),
    legitimate: attemptsOf(members.filter(({ label }) => label === 'legitimate')),
    fraud: attemptsOf(members.filter(({ label }) => label === 'fraud')),
    trusted: attemptsOf(members.filter(({ codes }) => hasOneOf(codes, TRUSTED))),
    bursts: attemptsOf(members.filter(({ codes }) => hasOneOf(codes, BURSTS))),
    first: Math.min(...times),
    last: Math.max(...times),
    backendDomains:
      kind === 'backend'
        ? [...new Set(members.flatMap(({ domain }) => domain ?? []))].slice(0, MAX_DOMAINS)
        : [],
  };
}

function hasOneOf(codes: string, some: readonly ReasonCode[]): boolean {
  return some.some((code) => codes.includes(` ${code} `));
}

function keyIn(detail: string, kind: EvidenceKind): string {
  const { examinations } = JSON.parse(detail) as { readonly examinations: Examinations };
  const { code, factor, field } = EVIDENCE[kind];
  const finding = readExaminations(examinations)[factor]?.findings.find((known) => known.code === code);
  return finding?.fields?.[field] ?? 'unknown';
}
