import { timesOfBeginning } from '../request-place.ts';
import type { DecisionPlace } from './decision-cursor.ts';
import type { SearchEngine } from './time-bounds.ts';

/** Eight characters hold the time to 65 seconds: of the decisions of that time, so many are examined for an account. */
const MAX_EXAMINED = 20_000;
/** Sorts after every character of a request id, in both engines. */
const AFTER_ALL = '~';

/** Decisions whose request id begins with the text, the latest id first. Reads the index of request ids. */
export async function placesBeginning(
  { reader, kind }: SearchEngine,
  beginning: string,
  { accountId, limit }: { readonly accountId: string | null; readonly limit: number },
): Promise<readonly DecisionPlace[]> {
  const times = timesOfBeginning(beginning);
  if (!times) return [];
  let latest = reader
    .selectFrom('decisions')
    .select(['id', 'processed_at', 'request_id', 'account_id'])
    .where('request_id', '>=', beginning)
    .where('request_id', '<', `${beginning}${AFTER_ALL}`)
    .orderBy('request_id', 'desc')
    .limit(accountId === null ? limit : MAX_EXAMINED);
  if (kind === 'postgres') {
    // It has an index of request ids in each partition: with the times it reads one or two of them.
    latest = latest.where('processed_at', '>=', times.from).where('processed_at', '<=', times.to);
  }
  const rows = await (accountId === null
    ? latest
    : reader
        .selectFrom(latest.as('latest'))
        .select(['id', 'processed_at'])
        .where('account_id', '=', accountId)
        .orderBy('request_id', 'desc')
        .limit(limit)
  ).execute();
  return rows.map((row) => ({ processedAt: row.processed_at, id: row.id }));
}
