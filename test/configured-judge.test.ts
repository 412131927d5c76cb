import test from 'ava';
import { parseMailbox } from '../src/addresses/email-address.ts';
import { parseIpAddress } from '../src/addresses/ip-address.ts';
import { createAttempt } from '../src/assessment/attempt.ts';
import { createPseudonymizer } from '../src/assessment/identity.ts';
import { openConfiguredJudge } from '../src/configured-judge.ts';
import { createMemoryCounters } from '../src/counters/memory-counters.ts';
import { openDatasets } from '../src/datasets/open-datasets.ts';
import { builtDatasetsFolder, plainDatasetsConfig } from './helpers/built-datasets.ts';
import { defaultConfig } from './helpers/default-config.ts';

const datasets = await openDatasets({
  folder: builtDatasetsFolder,
  feedsFolder: builtDatasetsFolder,
  config: plainDatasetsConfig,
  clock: () => 0,
});
test.after.always(() => datasets.close());

test('a domain whose servers stay silent for longer than the deadline ends no factor', async (t) => {
  const never = () => new Promise<never>(() => {});
  const failed: string[] = [];
  const { judgeFor } = openConfiguredJudge({
    datasets,
    counters: createMemoryCounters({ maxKeysPerDimension: 1_024 }),
    log: { warn: () => {} },
    resolver: { mx: never, addresses: never, a: never, close() {} },
    metrics: { factorFailed: (factor) => failed.push(factor) },
  });
  const { scoring } = defaultConfig;
  const dns = { ...scoring.dns, enabled: true, timeout: 60_000 };
  const judge = judgeFor({ ...defaultConfig, scoring: { ...scoring, dns, deadline: 200 } });
  const mailbox = parseMailbox('anna@silent-servers.shop');
  const ip = parseIpAddress('2.125.160.216');
  if (!mailbox || !ip) throw new Error('the signup cannot be read');
  const facts = { requestId: 'a', receivedAt: Date.UTC(2026, 5, 1), door: 'api', scope: 's' } as const;
  const attempt = createAttempt(
    { ...facts, route: null, email: { mailbox }, ip, userAgent: null, headers: null },
    createPseudonymizer('a secret for tests only'),
  );
  const { examinations } = await judge.judge(attempt);
  t.is(examinations.velocity?.incomplete, null);
  t.is(examinations.email?.incomplete, 'dns: timeout');
  t.deepEqual(failed, []);
});
