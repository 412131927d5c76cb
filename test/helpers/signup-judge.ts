import { fileURLToPath } from 'node:url';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import type { IpAddress } from '../../src/addresses/ip-address.ts';
import { createAttempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { createJudge, type Judgement } from '../../src/assessment/judge.ts';
import type { ListMatcher } from '../../src/assessment/lists.ts';
import type { ScoringConfig } from '../../src/config/config.ts';
import { policyOf } from '../../src/configured-judge.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import type { CurrentDatasets } from '../../src/datasets/datasets.ts';
import { openDatasets } from '../../src/datasets/open-datasets.ts';
import { createDeviceProcessor } from '../../src/processors/device/device-processor.ts';
import { loadEmailModels } from '../../src/processors/email/email-models.ts';
import { createEmailProcessor } from '../../src/processors/email/email-processor.ts';
import { createNetworkProcessor } from '../../src/processors/network/network-processor.ts';
import { createVelocityProcessor } from '../../src/processors/velocity/velocity-processor.ts';
import { defaultConfig } from './default-config.ts';
import { currentBrowsers } from './signup-crowd.ts';

export interface Signup {
  readonly email: string;
  readonly ip: IpAddress;
  readonly userAgent: string | null;
}

export interface TimedSignup extends Signup {
  /** Milliseconds after the first signup. */
  readonly after: number;
}

const TOR = 0xb9dc;
const NO_LISTS: ListMatcher = { revision: '', match: () => [], matchPattern: () => null };

/** The real processors over the real data sets, without DNS. */
export interface SignupJudge {
  readonly datasets: CurrentDatasets;
  /** User agents of today. */
  readonly browsers: readonly string[];
  /** Judges signups in a row with counters of their own. */
  judgeAll(
    signups: readonly TimedSignup[],
    scoring?: ScoringConfig,
    lists?: ListMatcher,
  ): Promise<readonly Judgement[]>;
  close(): void;
}

/** Evenly over the time. */
export function spread(signups: readonly Signup[], overMs: number): readonly TimedSignup[] {
  return signups.map((signup, i) => ({ ...signup, after: Math.floor((i * overMs) / signups.length) }));
}

export async function openSignupJudge(): Promise<SignupJudge> {
  const datasets = await openDatasets({
    folder: folderOf('datasets'),
    feedsFolder: folderOf('datasets'),
    config: { refresh: null, asn_mmdb: null, country_mmdb: null, anonymous_ip_mmdb: null, feeds: [] },
    clock: () => 0,
  });
  const seen = withTor(datasets);
  const now = datasets.current.device.asOf;
  const email = createEmailProcessor({ datasets, models: loadEmailModels(folderOf('models')), dns: null });
  const network = createNetworkProcessor({ datasets: seen });
  const device = createDeviceProcessor({ datasets });
  const pseudonymize = createPseudonymizer('a secret for tests only');

  return {
    datasets,
    browsers: currentBrowsers(datasets.current),
    async judgeAll(signups, scoring = defaultConfig.scoring, lists = NO_LISTS) {
      const counters = createMemoryCounters({ maxKeysPerDimension: 4096 });
      const velocity = createVelocityProcessor({ counters, datasets: seen, limits: scoring.velocity });
      const judge = createJudge({
        processors: [email, network, velocity, device],
        policy: policyOf(scoring),
        configuredRevision: 'default',
        lists,
        data: datasets,
        deadlineMs: 1000,
        now: () => now,
        onFailure: (_, error) => {
          throw error;
        },
      });
      const judgements: Judgement[] = [];
      for (const signup of signups) {
        const mailbox = parseMailbox(signup.email);
        if (!mailbox) throw new Error(`${signup.email} is no mailbox`);
        const attempt = createAttempt(
          {
            requestId: '00000000-0000-4000-8000-000000000000',
            receivedAt: now + signup.after,
            door: 'api',
            scope: 'account',
            route: null,
            email: { mailbox },
            ip: signup.ip,
            userAgent: signup.userAgent,
            headers: null,
          },
          pseudonymize,
        );
        judgements.push(await judge.judge(attempt));
      }
      return judgements;
    },
    close: () => datasets.close(),
  };
}

/** No list of exits is built in: here all of 185.220.0.0/16 is one. */
function withTor({ current }: CurrentDatasets): CurrentDatasets {
  const tor = {
    size: 1,
    has: ({ family, words }: IpAddress) => family === 4 && (words[0] ?? 0) >>> 16 === TOR,
  };
  return { current: { ...current, network: { ...current.network, locate: current.network.locate, tor } } };
}

function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.url));
}
