import { tmpdir } from 'node:os';
import test from 'ava';
import { compare, confidence, toComparisonPage } from '../../../scripts/evaluate/comparison.ts';
import type { Measurement } from '../../../scripts/evaluate/measurement.ts';
import { createNeutralAttempts } from '../../../scripts/evaluate/neutral-attempts.ts';
import { hasPublicData } from '../../../scripts/evaluate/public-data.ts';
import { openDatasets } from '../../../src/datasets/open-datasets.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from '../../helpers/built-datasets.ts';

const datasets = await openDatasets({
  ...{ folder: builtDatasetsFolder, feedsFolder: tmpdir(), config: plainDatasetsConfig, clock: Date.now },
});
test.after.always(() => datasets.close());
const network = datasets.current.network;
const looked = { network, attempts: createNeutralAttempts(datasets.current, Date.now()) };

const row = (set: string): Measurement => ({
  ...{ set, counted: 'x', population: 100, hits: 1, target: null, whole: null },
  ...{ reasons: {}, apart: [], wrong: [] },
});

test('the interval of a share is that of Wilson', (t) => {
  const rounded = (hits: number, population: number) =>
    confidence({ hits, population }).map((bound) => Number(bound.toFixed(4)));
  // Brown, Cai and DasGupta (2001), and R: binom::binom.wilson.
  t.deepEqual(rounded(0, 10), [0, 0.2775]);
  t.deepEqual(rounded(5, 10), [0.2366, 0.7634]);
  t.deepEqual(rounded(10, 10), [0.7225, 1]);
  t.deepEqual(rounded(0, 0), [0, 1]);
});

test('lists and isbot are asked about the samples of the rows that were measured, and of no others', (t) => {
  const rows = compare([row('domains of package authors'), row('user-agents, honest visitors')], looked);
  t.deepEqual(
    rows.map(({ set }) => set),
    ['domains of package authors', 'visitors of one day'],
  );
  const [authors, visitors] = rows;
  t.true((authors?.theirs.population ?? 0) > 100);
  t.true((visitors?.theirs.population ?? 0) > 5_000);
  t.true((visitors?.theirs.hits ?? 1e9) < 100);
  t.deepEqual(compare([], looked), []);
  const page = toComparisonPage(rows, '2026-11-23');
  t.regex(page, /^\| visitors of one day \| few \| 100 \| 1 % \(0.18 % to 5.45 %\) \| `isbot` \| /m);
});

test('the addresses of a row of networks are looked up in the public list of networks', (t) => {
  const rows = compare([row('addresses of a VPN service, without feeds')], looked);
  if (!hasPublicData('hosting-asns.txt', 'vpn-addresses.txt')) {
    t.deepEqual(rows, []);
    return;
  }
  t.is(rows[0]?.theirs.population, 559);
  t.true((rows[0]?.theirs.hits ?? 0) > 280);
});
