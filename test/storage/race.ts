import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Storage } from '../../src/storage/storage.ts';
import { StorageConflictError } from '../../src/storage/storage-error.ts';
import { NOON } from './decisions/decision-fixture.ts';
import type { PrepareStorage } from './prepare-storage.ts';

export const test = anyTest as TestFn;
export const AT_ONCE = 50;
export const PATIENCE_MS = 3_600_000;

/** Declares races of one engine. Each has so many rounds on one database, and a round begins with names of its own. */
export function racesOf(engine: string, prepare: PrepareStorage, rounds: number) {
  return (title: string, run: (race: Race, round: string) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => {
      t.timeout(PATIENCE_MS);
      const race = await between(t, prepare);
      for (let round = 0; round < rounds; round++) await run(race, `round ${round}`);
    });
}

export interface Race {
  readonly t: ExecutionContext;
  readonly records: Storage;
  /** Fifty calls, from both nodes in turn. */
  atOnce<T>(
    work: (records: Storage, i: number) => Promise<T>,
  ): Promise<readonly { readonly value?: T; readonly refused?: string }[]>;
}

export async function between(t: ExecutionContext, prepare: PrepareStorage): Promise<Race> {
  const open = await prepare(t);
  const nodes = [await open(() => NOON), await open(() => NOON)] as const;
  return {
    t,
    records: nodes[0],
    atOnce: (work) =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async (_, i) => {
          try {
            return { value: await work(i % 2 === 0 ? nodes[0] : nodes[1], i) };
          } catch (error) {
            // Any other error is a bug: a request would answer 500.
            if (!(error instanceof StorageConflictError)) throw error;
            return { refused: error.message };
          }
        }),
      ),
  };
}
