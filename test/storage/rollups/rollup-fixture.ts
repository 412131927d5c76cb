import type { ExecutionContext } from 'ava';
import type { RollupQuery } from '../../../src/storage/rollups/rollup-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { openDatabase } from '../../helpers/empty-database.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { NOON } from '../decisions/decision-fixture.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** Everything that the tests decide lies in it. */
export const ALL: RollupQuery = { accountId: null, route: null, from: NOON - 40 * DAY, to: NOON + DAY };

export interface RollupRecords {
  readonly file: string;
  readonly records: Storage;
}

export async function openRollupRecords(t: ExecutionContext): Promise<RollupRecords> {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const records = await openDatabase(file, () => NOON);
  t.teardown(() => records.close());
  return { file, records };
}

/** Counts all there is. Returns how many decisions that were. */
export async function aggregateAll({ rollups }: Storage): Promise<number> {
  let all = 0;
  for (;;) {
    const { aggregated, hasMore } = await rollups.aggregate();
    all += aggregated;
    if (!hasMore) return all;
  }
}

export async function countAll(records: Storage, query: RollupQuery = ALL): Promise<number> {
  return sum(await records.rollups.decisions(query));
}

export function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}
