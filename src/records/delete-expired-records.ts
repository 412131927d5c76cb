import { AUDIT_RETENTION_MS } from './audit.ts';
import type { Records } from './records.ts';

/**
 * Removes what is past its time, in bounded steps: decisions after the retention that the operator chose, the rest
 * after its own.
 *
 * @returns how many rows.
 */
export async function deleteExpiredRecords(
  { decisions, audit, listEntries, sessions, rollups }: Records,
  { now, retentionMs }: { readonly now: number; readonly retentionMs: number },
): Promise<number> {
  const deleted = [
    await decisions.deleteBefore(now - retentionMs),
    await rollups.deleteBefore(now - retentionMs),
    await audit.deleteBefore(now - AUDIT_RETENTION_MS),
    await listEntries.deleteExpired(now),
    await sessions.deleteExpired(),
  ];
  return deleted.reduce((sum, rows) => sum + rows, 0);
}
