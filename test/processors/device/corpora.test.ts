import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parse } from 'yaml';
import { isDisguised, readVisitorUserAgents, whyNoBrowser } from '../../../scripts/evaluate/public-data.ts';
import { REASONS } from '../../../src/assessment/reasons.ts';
import { riskLevelOf } from '../../../src/assessment/score.ts';
import { readBuiltInFiles } from '../../../src/datasets/built-in-files.ts';
import { loadDeviceDatasets } from '../../../src/datasets/device-datasets.ts';
import { createDeviceProcessor } from '../../../src/processors/device/device-processor.ts';
import { deviceAttempt, deviceDatasets, NOW } from '../../helpers/device-attempts.ts';
import { DEFAULT_POLICY } from '../../helpers/examinations.ts';
import { sharedLines, sharedText } from '../../helpers/shared-data.ts';

const datasetsFolder = fileURLToPath(new URL('../../../datasets', import.meta.url));
const releases = loadDeviceDatasets(await readBuiltInFiles(datasetsFolder));
const processor = createDeviceProcessor({ datasets: deviceDatasets(releases) });

/** The code that made the factor medium or high; null when it stayed low. */
function flaggedAs(userAgent: string): string | null {
  const examination = processor.examine(deviceAttempt({ userAgent, receivedAt: NOW }));
  if (examination instanceof Promise) throw new Error('the device processor waits for nothing');
  const { classification, findings } = examination;
  const points = findings.reduce((sum, { code }) => sum + REASONS[code].points, 0);
  const level = riskLevelOf(REASONS[classification].base - points, DEFAULT_POLICY.levels);
  return level === 'low' ? null : (findings[0]?.code ?? classification);
}

test('at least 99 in 100 crawlers of the public list are flagged', (t) => {
  const { content: crawlers } = sharedLines('crawler-user-agents.txt');
  const missed = crawlers.filter((userAgent) => flaggedAs(userAgent) === null);
  t.true(missed.length <= crawlers.length * 0.01, missed.join('\n'));
});

test('no browser or application of the public list is flagged, but for its age', (t) => {
  const kinds: Record<string, readonly string[]> = parse(sharedText('browser-user-agents.yml').content);
  const suspected = Object.values(kinds)
    .flat()
    .filter((userAgent) => {
      const code = flaggedAs(userAgent);
      return code !== null && code !== 'outdated_browser';
    });
  t.deepEqual(
    suspected.filter((userAgent) => whyNoBrowser(userAgent) === null),
    [],
  );
  t.is(suspected.length, 2);
});

test('of the real visitors of one day at most 1 in 100 is flagged', (t) => {
  const visitors = readVisitorUserAgents().filter((visitor) => !isDisguised(visitor));
  const flagged = visitors.filter(({ userAgent }) => flaggedAs(userAgent) !== null);
  t.true(visitors.length > 5000);
  t.true(flagged.length <= visitors.length * 0.01, `${flagged.length} of ${visitors.length}`);
});
