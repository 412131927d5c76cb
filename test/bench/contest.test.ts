import test from 'ava';
import { compare } from '../../bench/contest.ts';

test('ratios are made round by round, and above 1 is better in both', (t) => {
  const samples = new Map([
    [
      'ours',
      [
        { cpuUs: 50, perSecond: 2_000, p50Ms: 1, p99Ms: 2 },
        { cpuUs: 100, perSecond: 1_000, p50Ms: 1, p99Ms: 2 },
      ],
    ],
    [
      'theirs',
      [
        { cpuUs: 100, perSecond: 1_000, p50Ms: 1, p99Ms: 2 },
        { cpuUs: 150, perSecond: 500, p50Ms: 1, p99Ms: 2 },
      ],
    ],
  ]);
  const [cpu, throughput] = compare(samples, {
    work: 'work',
    ours: 'ours',
    yardstick: 'theirs',
    target: { bound: 'at_least', must: 1, aim: 2 },
  });
  t.deepEqual(cpu?.values, [2, 1.5]);
  t.is(cpu?.name, 'work, against theirs, CPU');
  t.is(cpu?.note, '75.0 µs, theirs 125 µs a request');
  t.deepEqual(throughput?.values, [2, 2]);
  t.is(throughput?.note, '1500 a second, theirs 750');
});
