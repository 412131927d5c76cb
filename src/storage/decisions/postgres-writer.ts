import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordsMetrics, RecordsOperation } from '../../telemetry/engine-metrics.ts';
import { jsonParameter } from '../engine/clean-text.ts';
import type { PostgresPool } from '../engine/postgres-pool.ts';
import { createRefusedGroups, isPassing, type RefusedGroups } from '../engine/write-queue.ts';
import { StorageAwayError, StorageBusyError, StorageInDoubtError } from '../storage-error.ts';
import type { GroupParameters } from './postgres-group.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** Sends groups to PostgreSQL, one at a time, and finds out for each whether it was written. */
export interface PostgresWriter extends Pick<RefusedGroups, 'requireAccepted'> {
  /**
   * @returns the text of `write_scorings_1`.
   * @throws StorageBusyError when nothing was written and nothing will be.
   */
  write(group: GroupParameters): Promise<string>;
  /** Deletes written entries and their counts: their callers did not wait for the answer. */
  takeBack(entries: readonly LateEntry[], day: string): Promise<void>;
  /** From now on, a group in doubt is given up when the database does not answer. */
  close(): void;
}

/** A written entry whose caller has an error already. */
export interface LateEntry {
  readonly request_id: string;
  /** Of its duration, as it was counted. */
  readonly class: number;
}

export function createPostgresWriter(
  pool: PostgresPool,
  inDoubt: RecordsMetrics['inDoubt'] = () => {},
): PostgresWriter {
  const id = randomUUID();
  let number = 0;
  let isRegistered = false;
  let isClosing = false;
  const groups = createRefusedGroups();

  async function callOnce(
    text: string,
    parameters: readonly unknown[],
    operation?: RecordsOperation,
  ): Promise<string | null> {
    const { rows } = await pool.query<{ readonly result: string | null }>(text, parameters, operation);
    return rows[0]?.result ?? null;
  }

  /** Repeats until the database answers. The call must have the same effect when it is repeated. */
  async function call(
    text: string,
    parameters: readonly unknown[],
    operation?: RecordsOperation,
  ): Promise<string | null> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await callOnce(text, parameters, operation);
      } catch (error) {
        if (!isPassing(error) || isClosing) throw error;
      }
      await delay(pauseMs);
    }
  }

  /** @param last The number of the last group. That group and earlier ones are not written when they arrive late. */
  async function register(last: number): Promise<void> {
    const text = 'INSERT INTO scoring_writers (id, number) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    await callOnce(text, [id, last]);
    isRegistered = true;
  }

  /** Registers again when the database no longer knows this writer. Nothing was written then. */
  async function writeGroup(group: readonly unknown[]): Promise<string | null> {
    const write = () =>
      callOnce('SELECT write_scorings_1($1, $2, $3, $4, $5) AS result', group, 'write_group');
    try {
      return await write();
    } catch (error) {
      if (!isUnknownWriter(error)) throw error;
      await register(number - 1);
      return await write();
    }
  }

  async function send({ accounts, repeats, entries }: GroupParameters): Promise<string> {
    if (!isRegistered) await register(number).catch(asNotWritten);
    number += 1;
    try {
      const group = [
        ...[id, number, accounts],
        repeats.length === 0 ? null : jsonParameter(repeats),
        // As bytes: a text would be searched again for what PostgreSQL cannot store.
        Buffer.from(jsonParameter(entries)),
      ];
      const written = await writeGroup(group);
      if (written !== null) return written;
    } catch (error) {
      if (!(error instanceof StorageInDoubtError)) throw error;
      const settled = await call('SELECT settle_scorings_1($1, $2) AS result', [id, number], 'settle_group');
      inDoubt(settled === null ? 'not_written' : 'written');
      if (settled !== null) return settled;
      throw new StorageAwayError('The connection to the database ended before a group was written.', {
        cause: error,
      });
    }
    throw new StorageBusyError('A group was given up before it was written.');
  }

  return {
    write: (group) => groups.watch(() => send(group)),
    requireAccepted: groups.requireAccepted,
    async takeBack(entries, day) {
      await call('SELECT take_back_scorings_1($1, $2) AS result', [JSON.stringify(entries), day]);
    },
    close() {
      isClosing = true;
    },
  };
}

/**
 * The retention job deletes writers that wrote nothing for a week, and a backup does not have those that began after it. The
 * function raises no other exception (SQLSTATE `raise_exception`).
 */
function isUnknownWriter(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'P0001';
}

/** For a statement that has no further effect when it is repeated. */
function asNotWritten(error: unknown): never {
  if (error instanceof StorageInDoubtError) throw new StorageAwayError(error.message, { cause: error });
  throw error;
}
