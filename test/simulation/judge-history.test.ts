import test from 'ava';
import type { Judge } from '../../src/assessment/judge.ts';
import type { Config } from '../../src/config/config.ts';
import { openConfiguredJudge } from '../../src/configured-judge.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { movesOf } from '../../src/simulation/comparison.ts';
import { judgeHistory } from '../../src/simulation/judge-history.ts';
import { sumOf } from '../../src/simulation/judgement-counts.ts';
import type { PastSignup } from '../../src/simulation/signup-row.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../helpers/built-datasets.ts';
import { defaultConfig } from '../helpers/default-config.ts';

const datasets = await openDatasets({
  folder: builtDatasetsFolder,
  feedsFolder: builtDatasetsFolder,
  config: plainDatasetsConfig,
  clock: () => 0,
});
test.after.always(() => datasets.close());

const START = Date.UTC(2026, 5, 1);
const MINUTE = 60_000;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0';

function judgeFor(scoring: Partial<Config['scoring']> = {}, lists: Partial<Config['lists']> = {}): Judge {
  const log = { warn: () => {} };
  const dns = { ...defaultConfig.scoring.dns, enabled: false };
  return openConfiguredJudge({
    datasets,
    counters: createMemoryCounters({ maxKeysPerDimension: 4_096 }),
    log,
  }).judgeFor({
    ...defaultConfig,
    scoring: { ...defaultConfig.scoring, dns, ...scoring },
    lists: { ...defaultConfig.lists, ...lists },
  });
}

function signup(i: number, facts: Partial<PastSignup> = {}): PastSignup {
  return {
    line: i + 2,
    time: START + i * MINUTE,
    email: `jane${String.fromCharCode(97 + (i % 26))}.doe@gmail.com`,
    ipAddress: '2.125.160.216',
    userAgent: BROWSER,
    label: null,
    ...facts,
  };
}

const times = (count: number, make: (i: number) => PastSignup) =>
  Array.from({ length: count }, (_, i) => make(i));
const run = (signups: readonly PastSignup[], judge: Judge, against: Judge | null = null) =>
  judgeHistory(signups, { judge, against, onProgress: () => {} });

test('velocity uses the times of the rows: one address in a minute is a burst, over weeks it is not', async (t) => {
  const fast = await run(
    times(26, (i) => signup(i)),
    judgeFor(),
  );
  const slow = await run(
    times(26, (i) => signup(i, { time: START + i * 2 * 24 * 60 * MINUTE })),
    judgeFor(),
  );
  t.true((fast.counts.reasons.get('ip_burst') ?? 0) >= 15);
  t.is(slow.counts.reasons.get('ip_burst'), undefined);
  t.is(slow.counts.levels.low, 26);
});

test('each signup has four reasons, and those of doubtful factors are listed by level', async (t) => {
  const { counts } = await run(
    [signup(0), signup(1, { email: 'x@mailinator.com', userAgent: 'curl/8' })],
    judgeFor(),
  );
  t.deepEqual(counts.levels, { low: 1, medium: 0, high: 1 });
  t.is(
    [...counts.reasons.values()].reduce((a, b) => a + b, 0),
    8,
  );
  t.is(counts.reasons.get('personal_email'), 1);
  t.deepEqual(counts.doubts.get('disposable_email'), { low: 0, medium: 0, high: 1 });
  t.false(counts.doubts.has('personal_email'));
});

test('two policies judge the same history, and moves are counted with labels and examples', async (t) => {
  const signups = [
    signup(0, { label: 'legitimate' }),
    signup(1, { email: 'bob@acme-consulting.de', label: 'fraud' }),
    signup(2, { email: 'x@mailinator.com', label: 'fraud' }),
    signup(3, { email: 'y@mailinator.com', label: 'legitimate' }),
  ];
  const against = judgeFor({}, { deny: ['acme-consulting.de'], allow: ['y@mailinator.com'] });
  const judged = await run(signups, judgeFor(), against);
  t.deepEqual(judged.counts.levels, { low: 2, medium: 0, high: 2 });
  t.deepEqual(judged.against?.counts.levels, { low: 2, medium: 0, high: 2 });
  const { comparison, examples } = judged.against ?? t.fail();
  t.deepEqual(comparison.matrix, {
    low: { low: 1, medium: 0, high: 1 },
    medium: { low: 0, medium: 0, high: 0 },
    high: { low: 1, medium: 0, high: 1 },
  });
  t.deepEqual(movesOf(comparison.matrix), { stricter: 1, milder: 1 });
  t.deepEqual(movesOf(comparison.known.fraud), { stricter: 1, milder: 0 });
  t.deepEqual(movesOf(comparison.known.legitimate), { stricter: 0, milder: 1 });
  t.deepEqual(
    examples.map(({ signup, before, after }) => [
      signup.line,
      before.riskLevel,
      after.riskLevel,
      after.reasons,
    ]),
    [
      [3, 'low', 'high', ['denylisted_email']],
      [5, 'high', 'low', []],
    ],
  );
});

test('a policy against itself changes nothing, velocity included', async (t) => {
  const signups = times(60, (i) => signup(i));
  const { counts, against } = await run(signups, judgeFor(), judgeFor());
  t.deepEqual(against?.counts, counts);
  t.deepEqual(movesOf(against?.comparison.matrix ?? t.fail()), { stricter: 0, milder: 0 });
  t.deepEqual(against?.examples, []);
});

test('of many alike changes a bounded number is kept as examples', async (t) => {
  const signups = times(200, (i) => signup(i, { ipAddress: `2.125.${i}.1` }));
  const { against } = await run(signups, judgeFor(), judgeFor({}, { deny: ['gmail.com'] }));
  t.is(against?.comparison.matrix.low.high, 200);
  t.is(against?.examples.length, 25);
});

test('the timeline holds every signup', async (t) => {
  const { timeline } = await run(
    times(100, (i) => signup(i)),
    judgeFor(),
  );
  t.is(
    timeline?.steps.reduce((sum, step) => sum + sumOf(step), 0),
    100,
  );
});

test('an empty history has no timeline and no levels', async (t) => {
  const { counts, timeline } = await run([], judgeFor());
  t.is(timeline, null);
  t.is(sumOf(counts.levels), 0);
});
