import test from 'ava';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { openOfflineJudge } from '../../src/signup-file/open-offline-judge.ts';
import { judgeHistory } from '../../src/simulation/judge-history.ts';
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
const FIRST = 'anna ben carl dora emil finn gina hans ida jan kim lena max nora otto paul quinn rosa'.split(
  ' ',
);
const LAST = 'smith jones brown miller davis garcia lopez wilson moore taylor lee white harris clark'.split(
  ' ',
);

/** Four days of a site with ten campaigns. The windows are so full that shared buckets change single counts. */
function busyHistory(): readonly PastSignup[] {
  let state = 1;
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return Array.from({ length: 6_000 }, (_, i) => ({
    line: i + 2,
    time: START + i * MINUTE + below(MINUTE),
    email:
      i % 600 < 120
        ? `promo.user${i}@${below(2) ? 'gmail.com' : 'zmail-offers.com'}`
        : `${FIRST[below(18)]}${below(2) ? '.' : ''}${LAST[below(14)]}${below(999) || ''}@${below(5) ? 'gmail.com' : `${LAST[below(14)]}${below(3_000)}.com`}`,
    ipAddress: `${60 + below(35)}.${below(256)}.${below(256)}.${1 + below(254)}`,
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${138 + below(8)}.0.0.0 Safari/537.36`,
    label: null,
  }));
}

test('the same history and policy give the same counts in each run', async (t) => {
  const history = busyHistory();
  const counted = async () => {
    const { judge, close } = openOfflineJudge(defaultConfig, datasets, () => {});
    const { counts } = await judgeHistory(history, { judge, against: null, onProgress: () => {} });
    close();
    return counts;
  };
  const first = await counted();
  t.true((first.reasons.get('cohort_surge') ?? 0) > 0);
  for (let run = 0; run < 2; run++) t.deepEqual(await counted(), first);
});
