import { type RawBuilder, sql } from 'kysely';
import type { StoredDecision } from '../decision-record.ts';
import { type DecisionQuery, TRAFFIC_OF } from './decision-filter.ts';
import type { AroundDecision, Counts, LikeAttempts, Likeness } from './decision-search.ts';
import type { SearchEngine } from './time-bounds.ts';

const MINUTE_MS = 60_000;
/** The velocity windows that the page shows. */
const WINDOWS_MS = { tenMinutes: 10 * MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS } as const;
/** The largest number of attempts, which takes about 20 ms for each dimension. */
const MAX_EXAMINED = 100_000;

/** Counts as velocity does: the same account's or the gate's traffic, a device being a user agent in one network. */
export async function lookAround(engine: SearchEngine, decision: StoredDecision): Promise<AroundDecision> {
  const { processedAt, identity } = decision;
  const { mailbox, template, userAgent, network, domain } = identity;
  const before = engine.reader.selectFrom('decisions').where('processed_at', '<=', processedAt);
  const dayAgo = processedAt - WINDOWS_MS.day;
  const last = await before
    .where('processed_at', '>', dayAgo)
    .select('processed_at')
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_EXAMINED - 1)
    .limit(1)
    .executeTakeFirst();
  const attempts = before
    .where(TRAFFIC_OF, '=', decision.accountId ?? '')
    .where('test', '=', decision.test ? 1 : 0)
    .where('processed_at', '>', last ? last.processed_at - 1 : dayAgo);
  const alike = [
    toAlike('mailbox', { mailbox }),
    toAlike('template', { template }),
    toAlike('device', { network, user_agent: userAgent }),
    toAlike('network', { network }),
    toAlike('domain', { domain: isPublicProvider(decision) ? null : domain }),
  ].filter((one) => one !== null);
  const count = engine.kind === 'sqlite' ? countEach : countTogether;
  return {
    likenesses: await count(attempts, alike, processedAt),
    countedBackTo: last?.processed_at ?? null,
  };
}

interface Alike {
  readonly likeness: Likeness;
  readonly isAlike: RawBuilder<boolean>;
}

/** Null when the decision lacks one of the values. */
function toAlike(likeness: Likeness, same: Readonly<Record<string, string | null>>): Alike | null {
  if (Object.values(same).includes(null)) return null;
  const isAlike = Object.entries(same).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return { likeness, isAlike: sql<boolean>`(${sql.join(isAlike, sql` AND `)})` };
}

/** In SQLite each reads only the index with all columns. */
async function countEach(
  attempts: DecisionQuery,
  alike: readonly Alike[],
  processedAt: number,
): Promise<readonly LikeAttempts[]> {
  const likenesses: LikeAttempts[] = [];
  for (const { likeness, isAlike } of alike) {
    const counted = await attempts
      .where(isAlike)
      .select(
        Object.entries(WINDOWS_MS).flatMap(([window, length]) => countedIn(window, processedAt - length)),
      )
      .executeTakeFirstOrThrow();
    likenesses.push(toLikeAttempts(likeness, counted, ''));
  }
  return likenesses;
}

/** PostgreSQL reads the rows of a day for this query, so it reads them once for all dimensions. */
async function countTogether(
  attempts: DecisionQuery,
  alike: readonly Alike[],
  processedAt: number,
): Promise<readonly LikeAttempts[]> {
  const counted = await attempts
    .where(
      sql<boolean>`(${sql.join(
        alike.map(({ isAlike }) => isAlike),
        sql` OR `,
      )})`,
    )
    .select(
      alike.flatMap(({ likeness, isAlike }) =>
        Object.entries(WINDOWS_MS).flatMap(([window, length]) =>
          countedIn(`${likeness}_${window}`, processedAt - length, isAlike),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return alike.map(({ likeness }) => toLikeAttempts(likeness, counted, `${likeness}_`));
}

/** Velocity does not count such a domain either. */
function isPublicProvider({ examinations }: StoredDecision): boolean {
  return /^(personal|relay)_email$/.test(examinations.email?.classification ?? '');
}

function countedIn(name: string, after: number, isAlike?: RawBuilder<boolean>) {
  const isCounted = isAlike ? sql`processed_at > ${after} AND ${isAlike}` : sql`processed_at > ${after}`;
  return [
    sql<number>`coalesce(sum(CASE WHEN ${isCounted} THEN 1 + repeats END), 0)`.as(`attempts_${name}`),
    sql<number>`count(DISTINCT CASE WHEN ${isCounted} THEN mailbox END)`.as(`mailboxes_${name}`),
  ];
}

function toLikeAttempts(
  likeness: Likeness,
  row: Readonly<Record<string, number>>,
  prefix: string,
): LikeAttempts {
  const countsOf = (what: 'attempts' | 'mailboxes'): Counts => {
    const of = (window: keyof Counts) => row[`${what}_${prefix}${window}`] ?? 0;
    return { tenMinutes: of('tenMinutes'), hour: of('hour'), day: of('day') };
  };
  return { likeness, attempts: countsOf('attempts'), mailboxes: countsOf('mailboxes') };
}
