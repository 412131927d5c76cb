import { type Kysely, sql } from 'kysely';
import type { StorageSchema } from '../../storage-schema.ts';
import type { StoredDecision } from '../decision-record.ts';
import { TRAFFIC_OF } from './decision-filter.ts';
import type { AroundDecision, Counts, LikeAttempts, Likeness } from './decision-search.ts';

const MINUTE_MS = 60_000;
/** Those velocity windows that the page shows. */
const WINDOWS_MS = { tenMinutes: 10 * MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS } as const;
/** About 20 ms for each likeness. */
const MAX_EXAMINED = 100_000;

/** Counts as velocity does: the same account's or the gate's traffic, a device being a user agent in one network. */
export async function lookAround(
  reader: Kysely<StorageSchema>,
  decision: StoredDecision,
): Promise<AroundDecision> {
  const { processedAt, identity } = decision;
  const { mailbox, template, userAgent, network, domain } = identity;
  const before = reader.selectFrom('decisions').where('processed_at', '<=', processedAt);
  const dayAgo = processedAt - WINDOWS_MS.day;
  const last = await before
    .where('processed_at', '>', dayAgo)
    .select('processed_at')
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_EXAMINED - 1)
    .limit(1)
    .executeTakeFirst();

  const likenesses: LikeAttempts[] = [];
  const count = async (likeness: Likeness, same: Readonly<Record<string, string | null>>) => {
    if (Object.values(same).includes(null)) return;
    let query = before
      .where(TRAFFIC_OF, '=', decision.accountId ?? '')
      .where('test', '=', decision.test ? 1 : 0)
      .where('processed_at', '>', last ? last.processed_at - 1 : dayAgo);
    for (const [column, value] of Object.entries(same)) query = query.where(sql.ref(column), '=', value);
    const counted = await query
      .select(
        Object.entries(WINDOWS_MS).flatMap(([window, length]) => countedIn(window, processedAt - length)),
      )
      .executeTakeFirstOrThrow();
    likenesses.push({
      likeness,
      attempts: countsOf(counted, 'attempts'),
      mailboxes: countsOf(counted, 'mailboxes'),
    });
  };
  await count('mailbox', { mailbox });
  await count('template', { template });
  await count('device', { network, user_agent: userAgent });
  await count('network', { network });
  await count('domain', { domain: isPublicProvider(decision) ? null : domain });
  return { likenesses, countedBackTo: last?.processed_at ?? null };
}

/** Velocity does not count such a domain either. */
function isPublicProvider({ examinations }: StoredDecision): boolean {
  return /^(personal|relay)_email$/.test(examinations.email?.classification ?? '');
}

function countedIn(window: string, after: number) {
  return [
    sql<number>`coalesce(sum(CASE WHEN processed_at > ${after} THEN 1 + repeats END), 0)`.as(
      `attempts_${window}`,
    ),
    sql<number>`count(DISTINCT CASE WHEN processed_at > ${after} THEN mailbox END)`.as(`mailboxes_${window}`),
  ];
}

function countsOf(row: Readonly<Record<string, number>>, what: 'attempts' | 'mailboxes'): Counts {
  const of = (window: keyof Counts) => row[`${what}_${window}`] ?? 0;
  return { tenMinutes: of('tenMinutes'), hour: of('hour'), day: of('day') };
}
