import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { AUDIT_RETENTION_MS } from '../audit/audit-log.ts';
import type { Storage } from '../storage.ts';

const EVERY_MS = 3_600_000;

/** Deletes expired records now and every hour. Its timer does not keep the process running. */
export function startRetentionJob(parts: {
  readonly records: Storage;
  /** Retention of decisions; changes on reload. */
  readonly retentionMs: () => number;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): { close(): void } {
  const { records, retentionMs, clock, log } = parts;
  let deleting: Promise<void> = deleteNow();
  const timer = setInterval(() => {
    deleting = deleting.then(deleteNow);
  }, EVERY_MS);
  timer.unref();

  async function deleteNow(): Promise<void> {
    try {
      const deleted = await deleteExpiredRecords(records, { now: clock(), retentionMs: retentionMs() });
      if (deleted > 0) log.info({ deleted }, 'records past their retention were deleted');
    } catch (error) {
      log.error(
        { err: error },
        'records past their retention could not be deleted; the next try is in an hour',
      );
    }
  }

  return {
    close: () => clearInterval(timer),
  };
}

/**
 * Deletes expired records, in bounded steps: decisions after the configured retention, all else after its own.
 *
 * @returns how many rows.
 */
export async function deleteExpiredRecords(
  { decisions, audit, listEntries, sessions, rollups }: Storage,
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
