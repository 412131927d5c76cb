import test from 'ava';
import { describeSkew, findNodeIssues } from '../../../src/storage/fleet/node-issues.ts';
import type { FleetNode } from '../../../src/storage/fleet/node-store.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function node(name: string, changes: Partial<FleetNode> = {}): FleetNode {
  return {
    ...{ id: `id of ${name}`, name, version: '0.1.0', configuration: 'c1', data: 'd1', degraded: [] },
    ...{ clockSkewMs: 0, startedAt: 0, seenAgoMs: 0, configurationForMs: MINUTE_MS, dataForMs: MINUTE_MS },
    ...changes,
  };
}

test('nodes that agree have no issue, also one alone and none', (t) => {
  t.deepEqual(findNodeIssues([]), []);
  t.deepEqual(findNodeIssues([node('a')]), []);
  t.deepEqual(
    findNodeIssues([node('a'), node('b', { version: '0.2.0' }), node('c', { clockSkewMs: null })]),
    [],
  );
});

test('a clock that is more than two seconds off is named, with how far and in which direction', (t) => {
  t.deepEqual(findNodeIssues([node('a', { clockSkewMs: 2_000 }), node('b', { clockSkewMs: -2_000 })]), []);
  t.deepEqual(findNodeIssues([node('a'), node('b', { clockSkewMs: 40 * DAY_MS })]), [
    {
      kind: 'clock',
      message: 'The clock of b is 40 days ahead, by the clock of the database. Set the time of that machine.',
      nodes: ['id of b'],
    },
  ]);
  t.regex(
    findNodeIssues([node('b', { clockSkewMs: -3_600_000 })])[0]?.message ?? '',
    /b is 1 hour behind, by/,
  );
});

test('revisions that differ are an issue after half a minute, and not during a change', (t) => {
  const fresh = { configurationForMs: 29_999, dataForMs: 29_999 };
  const other = { configuration: 'c2', data: 'd2' };
  t.deepEqual(findNodeIssues([node('a'), node('b', { ...other, ...fresh })]), []);
  t.deepEqual(findNodeIssues([node('a', fresh), node('b', { ...other, ...fresh })]), []);
  const found = findNodeIssues([node('a'), node('b', other), node('c', fresh), node('d')]);
  t.deepEqual(
    found.map(({ kind }) => kind),
    ['configuration', 'data'],
  );
  t.regex(found[0]?.message ?? '', /^Nodes have different configurations: c1 on a, d; c2 on b\. They judge/);
  t.regex(found[1]?.message ?? '', /^Nodes have different data sets: d1 on a, d; d2 on b\. Compare/);
});

test('a node that is silent is not compared', (t) => {
  const silent = { seenAgoMs: 15_000, configuration: 'c2', data: 'd2', clockSkewMs: DAY_MS };
  t.deepEqual(findNodeIssues([node('a'), node('b', silent)]), []);
});

for (const [ms, text] of [
  [40 * DAY_MS, '40 days ahead'],
  [-DAY_MS, '1 day behind'],
  [2_400, '2 seconds ahead'],
  [-90 * MINUTE_MS, '2 hours behind'],
  [1, '1 second ahead'],
] as const)
  test(`a skew of ${ms} ms is ${text}`, (t) => t.is(describeSkew(ms), text));
