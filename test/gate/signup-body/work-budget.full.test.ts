import test from 'ava';
import type { RouteConfig } from '../../../src/config/config.ts';
import { type HostileBody, hostileBodies } from './hostile-repetition.ts';
import { measureWork, ROUTES, testWorkBudget } from './work-budget.contract.ts';

testWorkBudget({ sizes: [1_000_000], fuzzed: 5_000 });

/** Milliseconds that 20 million units take here and now: as many steps of a loop over a text. */
function calibrate(): number {
  const text = 'abcdefghij'.repeat(100_000);
  const begin = performance.now();
  let sum = 0;
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < text.length; i++) sum = (sum + text.charCodeAt(i)) | 0;
  }
  return sum === 0 ? 0 : performance.now() - begin;
}

const RUNS = 8;
/** The best of several runs each, because the machine may be busy. The bugs that this finds take seconds. */
const GENEROUS = 6;

test('reading a megabyte of anything takes about as long as its budget allows', async (t) => {
  const slow: string[] = [];
  const allowedMs = Math.min(...Array.from({ length: RUNS }, calibrate)) * GENEROUS;
  for (const body of hostileBodies(1_000_000)) {
    for (const [name, known] of Object.entries(ROUTES)) {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < RUNS && best > allowedMs; run++)
        best = Math.min(best, await timeOf(body, known));
      if (best > allowedMs)
        slow.push(`${body.id}, ${name}: ${best.toFixed(1)} ms of ${allowedMs.toFixed(1)}`);
    }
  }
  t.deepEqual(slow, []);
});

async function timeOf(body: HostileBody, known: RouteConfig): Promise<number> {
  const begin = performance.now();
  await measureWork(body, known);
  return performance.now() - begin;
}
