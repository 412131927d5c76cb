import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { FindingCode } from '../../assessment/reasons.ts';
import type { Campaign } from '../decisions/search/campaign.ts';
import { findCommonCampaigns, summarizeCampaigns } from '../decisions/search/common-campaigns.ts';
import { type DecisionQuery, hasCode, hasStyle } from '../decisions/search/decision-filter.ts';
import { findEvidenceCampaigns } from '../decisions/search/evidence-campaigns.ts';
import { attemptsWithin } from '../decisions/search/find-campaigns.ts';
import { nameOfTemplate } from '../decisions/search/name-of-template.ts';
import type { RollupStore } from '../rollups/rollup-store.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { AttackEvent, AttackKind, DetectedAttack } from './attack-event.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
/** The time span that is searched for new attacks. */
const WINDOW_MS = HOUR_MS;
/** About 50 ms of the reader's thread for each kind. A larger site is searched over a shorter time. */
const MAX_EXAMINED = 20_000;
/** The largest number of new attacks in one run. */
const MAX_NEW = 20;

/** Findings that are an attack by themselves when many signups have them at once. */
const WATCHED_FINDINGS = [
  ...['tor_ip', 'proxy_ip', 'vpn_ip', 'datacenter_ip', 'disposable_email', 'disposable_mail_exchange'],
  ...['automation_tool', 'headless_browser'],
] as readonly FindingCode[];
/** A finding must be this many times as frequent as in the week before, and must have this share of all attempts. */
const TIMES_USUAL = 5;
const SMALLEST_PART = 0.05;

/**
 * The number of mailboxes within the hour, and the share of attempts not at low risk, from which a group is an attack.
 * A family or a team is smaller than 20. Strangers share networks and styles, so these need more. Most campaigns are
 * found earlier by a domain or a template, which is stronger evidence.
 */
const THRESHOLDS: Readonly<Record<AttackKind, { readonly mailboxes: number; readonly risky: number }>> = {
  domain: { mailboxes: 20, risky: 0.5 },
  template: { mailboxes: 20, risky: 0.4 },
  finding: { mailboxes: 20, risky: 0.5 },
  network: { mailboxes: 40, risky: 0.7 },
  cohort: { mailboxes: 40, risky: 0.7 },
};

/** Networks for each mailbox of a domain. */
const FEW_NETWORKS = 0.25;

/** The strongest kind of evidence comes first, since an attempt belongs to only one attack. */
const ORDER: readonly AttackKind[] = ['domain', 'template', 'finding', 'network', 'cohort'];

export interface FindAttacks {
  readonly reader: Kysely<StorageSchema>;
  readonly rollups: Pick<RollupStore, 'reasons'>;
  /** Events that may continue. */
  readonly known: readonly AttackEvent[];
  readonly now: number;
}

type Claim = Pick<DetectedAttack, 'kind' | 'key'>;

/** The known attacks with their present counts, and those that begin. Each attempt counts for one attack. */
export async function findAttacks({
  reader,
  rollups,
  known,
  now,
}: FindAttacks): Promise<readonly DetectedAttack[]> {
  const to = now + 1;
  const time = { accountId: null, from: to - WINDOW_MS, to };
  const { attempts } = await attemptsWithin(reader, time, MAX_EXAMINED);
  const found: DetectedAttack[] = [];
  const claims: Claim[] = [];
  for (const event of known) {
    const since = await attemptsWithin(reader, { ...time, from: event.beganAt });
    const campaign = await findOne(without(since.attempts, claims), event);
    claims.push(event);
    if (campaign && campaign.last > event.endedAt) found.push(await describe(reader, event, campaign));
  }
  for (const kind of ORDER) {
    for (const campaign of await findNew(without(attempts, claims), kind, { rollups, now })) {
      const claim = { kind, key: campaign.key };
      claims.push(claim);
      // A class or an office is not an attack by its network either.
      if (!isAttack(campaign, kind)) continue;
      found.push(await describe(reader, claim, campaign));
      if (found.length >= known.length + MAX_NEW) return found;
    }
  }
  return found;
}

async function findNew(
  attempts: DecisionQuery,
  kind: AttackKind,
  { rollups, now }: Pick<FindAttacks, 'rollups' | 'now'>,
): Promise<readonly Campaign[]> {
  if (kind === 'finding') return await findJumps(attempts, { rollups, now });
  const campaigns =
    kind === 'cohort'
      ? await findEvidenceCampaigns(attempts, kind)
      : await findCommonCampaigns(attempts, kind, THRESHOLDS[kind].mailboxes);
  return campaigns.filter((campaign) => isAttack(campaign, kind) || isCleared(campaign, kind));
}

/** Codes that are far more frequent than in the week before. An attempt with two of them counts for the first. */
async function findJumps(
  attempts: DecisionQuery,
  { rollups, now }: Pick<FindAttacks, 'rollups' | 'now'>,
): Promise<readonly Campaign[]> {
  const to = Math.floor((now - WINDOW_MS) / HOUR_MS) * HOUR_MS;
  const past = await rollups.reasons({ accountId: null, route: null, from: to - WEEK_HOURS * HOUR_MS, to });
  const combinations = await attempts
    .select(['codes', sql<number>`sum(1 + repeats)`.as('count')])
    .groupBy('codes')
    .execute();
  const sumOf = (some: readonly { readonly count: number }[]) =>
    some.reduce((sum, { count }) => sum + Number(count), 0);
  const all = sumOf(combinations);
  const found: Campaign[] = [];
  for (const code of WATCHED_FINDINGS) {
    const before = sumOf(past.filter((reason) => reason.code === code));
    const fewest = Math.max(
      ...[THRESHOLDS.finding.mailboxes, (TIMES_USUAL * before) / WEEK_HOURS, SMALLEST_PART * all],
    );
    // Most codes end here, since a campaign of a code needs one more pass over all attempts.
    if (sumOf(combinations.filter(({ codes }) => codes.includes(` ${code} `))) < fewest) continue;
    const claims = found.map(({ key }): Claim => ({ kind: 'finding', key }));
    const campaign = await findOne(without(attempts, claims), { kind: 'finding', key: code });
    if (campaign && isAttack(campaign, 'finding') && campaign.attempts >= fewest) found.push(campaign);
  }
  return found;
}

/**
 * Whether the judge found most attempts suspicious, and later facts do not speak for them. People of universities and
 * companies also sign up in groups, and people confirm their mailbox.
 */
function isAttack(campaign: Campaign, kind: AttackKind): boolean {
  const { attempts, mailboxes, levels, trusted, verified, legitimate } = campaign;
  const { mailboxes: enough, risky } = THRESHOLDS[kind];
  // Colleagues sign up from few networks; one attacker there is refused for the address.
  const isTogether = kind === 'domain' && campaign.networks < mailboxes * FEW_NETWORKS;
  return (
    mailboxes >= enough &&
    (isTogether ? 0 : levels.medium) + levels.high >= risky * attempts &&
    trusted < attempts / 2 &&
    verified < attempts / 2 &&
    legitimate < attempts / 5
  );
}

/** Whether the group consists of mailboxes of one organisation, which are not an attack. */
function isCleared(campaign: Campaign, kind: AttackKind): boolean {
  return kind === 'domain' && campaign.mailboxes >= THRESHOLDS.domain.mailboxes && !isAttack(campaign, kind);
}

async function findOne(attempts: DecisionQuery, { kind, key }: Claim): Promise<Campaign | null> {
  if (kind === 'cohort') {
    return (await findEvidenceCampaigns(attempts, kind)).find((campaign) => campaign.key === key) ?? null;
  }
  const [campaign] = await summarizeCampaigns(attempts.where(belongs({ kind, key })), {
    kind: kind === 'finding' ? 'device' : kind,
    key: sql<string>`CAST(${sql.lit(key)} AS text)`,
  });
  return campaign ?? null;
}

/** Attempts that belong to none of these attacks. */
function without(attempts: DecisionQuery, claims: readonly Claim[]): DecisionQuery {
  return claims.reduce(
    (rest, claim) => rest.where(sql<SqlBool>`NOT coalesce(${belongs(claim)}, false)`),
    attempts,
  );
}

function belongs({ kind, key }: Claim): Expression<SqlBool> {
  if (kind === 'finding') return hasCode(key as FindingCode);
  if (kind === 'cohort') return sql<SqlBool>`(${hasCode('cohort_surge')} AND ${hasStyle(key)})`;
  return sql<SqlBool>`${sql.ref(kind)} = ${key}`;
}

async function describe(
  reader: Kysely<StorageSchema>,
  { kind, key }: Claim,
  { attempts, mailboxes, passed, first, last }: Campaign,
): Promise<DetectedAttack> {
  const name = kind === 'template' ? await nameOfTemplate(reader, { key, from: first, to: last + 1 }) : key;
  return {
    kind,
    key,
    name,
    attempts,
    mailboxes,
    stopped: attempts - passed,
    beganAt: first,
    endedAt: last,
  };
}
