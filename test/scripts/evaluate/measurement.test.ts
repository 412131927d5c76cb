import test from 'ava';
import { isMet, type Measurement, measureFactor, shareOf } from '../../../scripts/evaluate/measurement.ts';
import { createJudge } from '../../../src/assessment/judge.ts';
import type { Processor } from '../../../src/assessment/processor.ts';
import { deviceAttempt } from '../../helpers/device-attempts.ts';
import { DEFAULT_POLICY, examination } from '../../helpers/examinations.ts';

/** Finds in the user agent what it says: `curl` is a tool, `old` is outdated, anything else is a browser. */
const processor: Processor = {
  factor: 'user_agent',
  examine({ userAgent }) {
    if (userAgent === 'curl') return examination('unusual_browser', 'automation_tool');
    return userAgent === 'old'
      ? examination('standard_browser', 'outdated_browser')
      : examination('standard_browser');
  },
};

const judge = createJudge({
  processors: [processor],
  policy: DEFAULT_POLICY,
  configuredRevision: 'test',
  lists: { revision: '', match: () => [], matchPattern: () => null },
  data: { current: { revision: 'test' } },
  deadlineMs: 1000,
  now: () => 0,
  onFailure: (_, error) => {
    throw error;
  },
});
const samples = (...userAgents: readonly string[]) =>
  userAgents.map((name) => ({ name, attempt: deviceAttempt({ userAgent: name }) }));

test('hits, reasons, the whole decision and what came out wrong are counted', async (t) => {
  const row = await measureFactor(judge, samples('curl', 'old', 'browser', 'curl'), {
    set: 'four',
    factor: 'user_agent',
    target: { bound: 'at_least', share: 0.75 },
  });
  t.like(row, {
    population: 4,
    hits: 3,
    reasons: { automation_tool: 2, outdated_browser: 1 },
    wrong: ['browser'],
  });
  t.deepEqual(row.whole, { medium: 0.25, high: 0.5 });
  t.true(isMet(row));
});

test('a sample with a weight counts as often, and stands among the wrong ones once', async (t) => {
  const ranges = samples('curl', 'browser').map((one, i) => ({ ...one, weight: i === 0 ? 3 : 1 }));
  const row = await measureFactor(judge, ranges, {
    set: 'two ranges',
    factor: 'user_agent',
    target: { bound: 'at_most', share: 0 },
  });
  t.like(row, { population: 4, hits: 3, reasons: { automation_tool: 3 }, wrong: ['curl (automation_tool)'] });
  t.deepEqual(row.whole, { medium: 0, high: 0.75 });
});

test('what is set apart belongs to no population and is counted by its reason', async (t) => {
  const row = await measureFactor(judge, samples('old', 'old', 'browser'), {
    set: 'three',
    factor: 'user_agent',
    target: { bound: 'at_most', share: 0 },
    setApart: (_, reason) => (reason === 'outdated_browser' ? 'outdated' : null),
  });
  t.like(row, { population: 1, hits: 0, apart: [{ why: 'outdated', count: 2 }] });
  t.true(isMet(row));
});

test('where few may be hit, the hit ones are the wrong ones, with their reason', async (t) => {
  const row = await measureFactor(judge, samples('browser', 'curl'), {
    set: 'two',
    factor: 'user_agent',
    target: { bound: 'at_most', share: 0.01 },
  });
  t.deepEqual(row.wrong, ['curl (automation_tool)']);
  t.false(isMet(row));
});

test('a factor that was not evaluated is a failure of the evaluation, not a clean sample', async (t) => {
  const options = { set: 'one', factor: 'email', target: null } as const;
  await t.throwsAsync(measureFactor(judge, samples('browser'), options), {
    message: /email was not evaluated/,
  });
});

test('an empty population meets no target', (t) => {
  const empty: Measurement = {
    ...{ set: 'none', counted: '', population: 0, hits: 0, whole: null, reasons: {}, apart: [], wrong: [] },
    target: { bound: 'at_most', share: 1 },
  };
  t.is(shareOf(empty), 0);
  t.false(isMet(empty));
  t.is(isMet({ ...empty, target: null }), null);
});
