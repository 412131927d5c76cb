import { fileURLToPath } from 'node:url';
import test from 'ava';
import { readAuthorDomains } from '../../../scripts/evaluate/author-domains.ts';
import { hasPublicData } from '../../../scripts/evaluate/public-data.ts';
import { halfOf, measureReliability } from '../../../scripts/evaluate/reliability.ts';
import { loadEmailModels } from '../../../src/processors/email/email-models.ts';
import { EMAIL_DATASETS } from '../../helpers/email-datasets.ts';

const models = loadEmailModels(fileURLToPath(new URL('../../../models/', import.meta.url)));

test('the halves are about equal, and a name stays in its half', (t) => {
  const names = Array.from({ length: 1_000 }, (_, i) => `name-${i}.com`);
  const aside = names.filter((name) => halfOf(name) === 'held aside').length;
  t.true(aside > 430 && aside < 570);
  t.is(halfOf('name-1.com'), halfOf('name-1.com'));
});

test('package authors have many domains, each registrable and named once', (t) => {
  const domains = readAuthorDomains();
  t.true(domains.length > 100);
  t.deepEqual(domains, [...new Set(domains)].sort());
  t.true(domains.includes('sindresorhus.com'));
});

const NEEDED = ['disposable-domains-live.txt', 'top-domains.txt', 'university-domains.txt'];
const withData = hasPublicData(...NEEDED) ? test : test.skip;

withData('domains of higher probability are more often throwaway domains', (t) => {
  const bands = measureReliability(EMAIL_DATASETS, models);
  t.is(bands.length, 12);
  for (const half of ['development', 'held aside']) {
    const own = bands.filter((band) => band.half === half);
    const [lowest] = own;
    const highest = own.at(-1);
    t.true((lowest?.observed ?? 1) < 0.1);
    t.true((highest?.observed ?? 0) > 0.5);
    for (const { from, to, predicted, burners, clean } of own) {
      t.true(predicted === null ? burners + clean === 0 : predicted >= from && predicted <= to);
    }
  }
});
