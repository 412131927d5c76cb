import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'ava';
import Database from 'libsql';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { optionsToRun } from '../../helpers/run-module.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import { ALL, aggregateAll, countAll, openRollupRecords } from './rollup-fixture.ts';

const CHILD = new URL('rollup-child.ts', import.meta.url);
const NOW_TOO = { ...ALL, to: ALL.to + 10_000 * 86_400_000 };

/** Resolves when the child has counted something that many times. */
async function untilCounted(child: ChildProcess, times: number): Promise<void> {
  if (!child.stdout) throw new Error('the child has no output');
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (Number(line) > 0 && ++seen >= times) return;
  }
  throw new Error('the child ended by itself');
}

test('two processes that decide and count in one database, and are killed in it, count each decision once', async (t) => {
  const { file, records } = await openRollupRecords(t);
  for (let round = 0; round < 2; round++) {
    const children = [1, 2].map(() =>
      spawn(process.execPath, [...optionsToRun(CHILD), file], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    await Promise.all(children.map((child) => untilCounted(child, 2 + round)));
    await Promise.all(
      children.map(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
  }
  await aggregateAll(records);
  const stored = new Database(file).prepare('SELECT count(*) AS n FROM decisions').get() as { n: number };
  t.true(stored.n > 100);
  t.is(await countAll(records, NOW_TOO), stored.n);
});

test('counting from two processes at once adds each decision once', async (t) => {
  const { file, records } = await openRollupRecords(t);
  const other = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(() => other.close());
  for (let round = 1; round <= 8; round++) {
    await Promise.all(Array.from({ length: 50 }, () => records.decisions.record(decisionWith())));
    await Promise.all([records.rollups.aggregate(), other.rollups.aggregate(), other.rollups.aggregate()]);
    await aggregateAll(records);
    t.is(await countAll(records), round * 50);
  }
});
