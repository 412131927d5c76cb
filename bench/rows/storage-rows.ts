import type { Bench } from '../bench.ts';
import { openStorageGroups } from '../decisions/storage-groups.ts';
import { medianOf, type Row } from '../row.ts';

/** Each in one round; a multiple of both sizes. */
const DECISIONS = 8_000;
const WARM_UP_ROUNDS = 2;

/** CPU time that this process spends to store a counted decision in PostgreSQL, as a ratio to SQLite in the same round. */
export async function measureStorage(bench: Bench): Promise<readonly Row[]> {
  const groups = await openStorageGroups(bench);
  try {
    const rows: Row[] = [];
    for (const [size, target] of [
      [16, { bound: 'at_most', must: 1.5, aim: 1 }],
      [100, { bound: 'at_most', must: 1, aim: 0.8 }],
    ] as const) {
      const figures = { sqlite: [] as number[], postgres: [] as number[] };
      for (let round = -WARM_UP_ROUNDS; round < bench.rounds; round++) {
        for (const engine of ['sqlite', 'postgres'] as const) {
          const micros = await groups.measure(engine, DECISIONS, size);
          if (round >= 0) figures[engine].push(micros);
        }
      }
      rows.push({
        name: `a decision stored in PostgreSQL, groups of ${size}, against SQLite`,
        unit: '×',
        target,
        values: figures.postgres.map((micros, i) => micros / (figures.sqlite[i] ?? Number.NaN)),
        note: `CPU of this process: PostgreSQL ${medianOf(figures.postgres).toFixed(1)} µs, SQLite ${medianOf(figures.sqlite).toFixed(1)} µs`,
      });
    }
    return rows;
  } finally {
    await groups.close();
  }
}
