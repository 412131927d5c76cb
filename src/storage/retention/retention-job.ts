import type { Logger } from '../../telemetry/logger.ts';
import { AUDIT_RETENTION_MS } from '../audit/audit-log.ts';
import type { Storage } from '../storage.ts';

const EVERY_MS = 3_600_000;
/** The interval at which this node checks whether it now runs the job. */
const LOOK_EVERY_MS = 1_000;

/**
 * Deletes expired records now, every hour, and when the retention becomes shorter, by the clock of the records. Its timer
 * does not keep the process running.
 */
export function startRetentionJob(parts: {
  readonly records: Storage;
  /** The retention of decisions; a reload may change it. */
  readonly retentionMs: () => number;
  /** Called after each run. */
  readonly ran?: (isDone: boolean) => void;
  /** Whether this node runs the job; left out: always. */
  readonly isHolder?: () => boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): { close(): void } {
  const { records, retentionMs, ran = () => {}, isHolder = () => true, log } = parts;
  let isRunning = false;
  let isClosed = false;
  let ranAt = Number.NEGATIVE_INFINITY;
  let ranWithMs = Number.POSITIVE_INFINITY;
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();

  function look(): void {
    const isDue = performance.now() - ranAt >= EVERY_MS || retentionMs() < ranWithMs;
    if (isRunning || !isDue || !isHolder()) return;
    isRunning = true;
    ranAt = performance.now();
    ranWithMs = retentionMs();
    void deleteNow(ranWithMs).finally(() => {
      isRunning = false;
    });
  }

  async function deleteNow(keptMs: number): Promise<void> {
    try {
      const deleted = await deleteExpiredRecords(records, {
        now: await records.now(),
        retentionMs: keptMs,
      });
      if (deleted > 0) log.info({ deleted }, 'records past their retention were deleted');
      ran(true);
    } catch (error) {
      // The records were closed during the run: the next start deletes the rest.
      if (isClosed) return;
      ran(false);
      log.error(
        { err: error },
        'records past their retention could not be deleted; the next try is in an hour',
      );
    }
  }

  return {
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/**
 * Deletes expired records, in bounded steps: decisions after the configured retention, all else after its own.
 *
 * @returns how many rows.
 */
export async function deleteExpiredRecords(
  { decisions, audit, domainUsers, listEntries, sessions, rollups }: Storage,
  { now, retentionMs }: { readonly now: number; readonly retentionMs: number },
): Promise<number> {
  const deleted = [
    await decisions.deleteBefore(now - retentionMs, now),
    await rollups.deleteBefore(now - retentionMs),
    await domainUsers.deleteBefore(now - retentionMs),
    await audit.deleteBefore(now - AUDIT_RETENTION_MS),
    await listEntries.deleteExpired(now),
    await sessions.deleteExpired(now),
  ];
  return deleted.reduce((sum, rows) => sum + rows, 0);
}
