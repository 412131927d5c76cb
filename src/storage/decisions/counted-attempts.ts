import type { StorageEngine } from '../engine/engine.ts';
import type { Label } from './decision-record.ts';
import { type DecisionRow, identityOf, readCodes } from './decision-row.ts';
import type { ConcludedAttempt, RecentAttempt } from './decision-store.ts';

/** About 2 ms of reading between two ticks of the event loop. */
const PAGE_ROWS = 500;
const COUNTED_DOORS = ['api', 'gate'];

const RECENT_COLUMNS = [
  'id',
  'processed_at',
  'scope',
  'mailbox',
  'spelling',
  'domain',
  'network',
  'template',
  'user_agent',
  'identity',
  'wanted_action',
  'risk_level',
] as const;

export function toRecentAttempt(row: Pick<DecisionRow, (typeof RECENT_COLUMNS)[number]>): RecentAttempt {
  return {
    processedAt: row.processed_at,
    scope: row.scope,
    identity: identityOf(row),
    isRefused: row.wanted_action === null ? row.risk_level === 'high' : row.wanted_action === 'block',
  };
}

/** Attempts that velocity counts, in the order of time. */
export async function* recentAttempts({ db }: StorageEngine, since: number): AsyncGenerator<RecentAttempt> {
  let last = { processed_at: since, id: -1 };
  for (;;) {
    const { processed_at, id } = last;
    const rows = await db
      .selectFrom('decisions')
      .select(RECENT_COLUMNS)
      .where('processed_at', '>=', processed_at)
      .where((where) =>
        where.or([
          where('processed_at', '>', processed_at),
          where.and([where('processed_at', '=', processed_at), where('id', '>', id)]),
        ]),
      )
      .where('test', '=', 0)
      .where('door', 'in', COUNTED_DOORS)
      .orderBy('processed_at')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) yield toRecentAttempt(row);
    const end = rows.at(-1);
    if (!end || rows.length < PAGE_ROWS) return;
    last = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The same, in the order of their conclusions. */
export async function* concludedAttempts(
  { db }: StorageEngine,
  since: number,
): AsyncGenerator<ConcludedAttempt> {
  let last = { at: since, id: -1 };
  for (;;) {
    const { at, id } = last;
    const rows = await db
      .selectFrom('decisions')
      .select([...RECENT_COLUMNS, 'concluded_at', 'outcome', 'label', 'codes'])
      .where('concluded_at', '>=', at)
      .where((where) =>
        where.or([
          where('concluded_at', '>', at),
          where.and([where('concluded_at', '=', at), where('id', '>', id)]),
        ]),
      )
      .where('test', '=', 0)
      .where('door', 'in', COUNTED_DOORS)
      .orderBy('concluded_at')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) {
      const concludedAt = row.concluded_at ?? at;
      last = { at: concludedAt, id: row.id };
      const { outcome, label } = row;
      yield {
        ...toRecentAttempt(row),
        concludedAt,
        outcome,
        label: label as Label | null,
        codes: readCodes(row.codes),
      };
    }
    if (rows.length < PAGE_ROWS) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
