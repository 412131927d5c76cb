import type { SqliteConnection } from '../engine/open-sqlite.ts';
import { addCountsText, type CountTable, countsParameter } from '../rollups/add-counts.ts';
import { countGroups } from '../rollups/count-groups.ts';
import { createDecisionTally, type DecisionTally } from '../rollups/fresh-decisions.ts';
import type { DecisionRecord } from './decision-record.ts';
import { toCountedColumns } from './decision-row.ts';
import { createRepeatedDecisions, type RepeatedRow, type Sighting } from './repeated-decisions.ts';

/** Repeats in one transaction of the scoring path. */
export interface RepeatsOfTransaction {
  /** Null when decisions of this kind never repeat. */
  see(decision: DecisionRecord): Sighting | null;
  /** Counts the decision on the row that it repeats; null when it gets its own row. */
  count(sighting: Sighting, decision: DecisionRecord): RepeatedRow | null;
  /**
   * Before the commit: the further repeats of each row, and the counts of the overview, which the aggregation cannot
   * find in the table.
   */
  write(): void;
  /** Replaces `write`. */
  rollback(): void;
}

/** A row with a repeat in this transaction. */
interface Raised {
  readonly requestId: string;
  /** Repeats after the first one, which is written at once. */
  more: number;
  lastSeenAt: number;
}

/**
 * Writes repeats on SQLite. When one sender floods the gate, a transaction has many repeats: together they cost about
 * 100 µs, and each 2 µs; its own row would cost 20 µs.
 */
export function createSqliteRepeats(connection: SqliteConnection): { begin(): RepeatsOfTransaction } {
  const repeated = createRepeatedDecisions();
  // SQLite may reuse the id, but not the request id: the update finds nothing when the row was deleted.
  const raiseRepeats = connection.prepare(
    `UPDATE decisions SET repeats = repeats + ?, last_seen_at = max(coalesce(last_seen_at, 0), ?)
     WHERE id = ? AND request_id = ?`,
  );
  const addCounts = {
    rollup_decisions: connection.prepare(addCountsText('rollup_decisions')),
    rollup_reasons: connection.prepare(addCountsText('rollup_reasons')),
    rollup_durations: connection.prepare(addCountsText('rollup_durations')),
  } satisfies Record<CountTable, unknown>;

  function add(table: CountTable, rows: readonly Readonly<Record<string, unknown>>[]): void {
    if (rows.length > 0) addCounts[table].run([countsParameter(table, rows)]);
  }

  return {
    begin() {
      const raised = new Map<number, Raised>();
      let tally: DecisionTally | null = null;

      function raise({ place, requestId }: RepeatedRow, processedAt: number): boolean {
        const row = raised.get(place);
        if (row) {
          row.more += 1;
          row.lastSeenAt = Math.max(row.lastSeenAt, processedAt);
          return true;
        }
        const { changes } = raiseRepeats.run([1, processedAt, place, requestId]);
        if (changes === 0) return false;
        raised.set(place, { requestId, more: 0, lastSeenAt: processedAt });
        return true;
      }

      return {
        see: repeated.see,
        count(sighting, decision) {
          const row = sighting.find((candidate) => raise(candidate, decision.processedAt));
          if (!row) return null;
          tally ??= createDecisionTally();
          tally.add(toCountedColumns(decision), decision.elapsedMs);
          return row;
        },
        write() {
          if (!tally) return;
          for (const [place, { requestId, more, lastSeenAt }] of raised)
            if (more > 0) raiseRepeats.run([more, lastSeenAt, place, requestId]);
          const rows = countGroups(tally.groups());
          add('rollup_decisions', rows.decisions);
          add('rollup_reasons', rows.reasons);
          add('rollup_durations', rows.durations);
        },
        rollback: repeated.forget,
      };
    },
  };
}
