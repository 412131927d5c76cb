import type { Judge } from '../../src/assessment/judge.ts';
import { type Measurement, measureFactor, type Sample } from './measurement.ts';
import type { NeutralAttempts } from './neutral-attempts.ts';
import {
  hasPublicData,
  isDisguised,
  readBrowserUserAgents,
  readPublicLines,
  readVisitorUserAgents,
} from './public-data.ts';

const FEW = { bound: 'at_most', share: 0.01 } as const;

/** Crawlers, browsers, and the visitors of one day. */
export async function measureDevices(
  judge: Judge,
  attempts: NeutralAttempts,
): Promise<readonly Measurement[]> {
  const samples = function* (userAgents: Iterable<string>): Iterable<Sample> {
    for (const userAgent of userAgents) yield { name: userAgent, attempt: attempts.withUserAgent(userAgent) };
  };
  const measure = (
    set: string,
    userAgents: Iterable<string>,
    target: Measurement['target'],
    agesApart = false,
  ) =>
    measureFactor(judge, samples(userAgents), {
      set,
      factor: 'user_agent',
      target,
      ...(agesApart ? { setApart: (_, reason) => (reason === 'outdated_browser' ? 'outdated' : null) } : {}),
    });

  const visitors = readVisitorUserAgents();
  const rows = hasPublicData()
    ? [
        await measure('crawler-user-agents', readPublicLines('crawler-user-agents.txt'), {
          bound: 'at_least',
          share: 0.99,
        }),
        await measure('browser-user-agents', readBrowserUserAgents(), FEW, true),
      ]
    : [];
  return [
    ...rows,
    await measure('user-agents, honest visitors', userAgentsOf(visitors, false), FEW),
    await measure('user-agents, phones that run on desktops', userAgentsOf(visitors, true), null),
  ];
}

function userAgentsOf(
  visitors: ReturnType<typeof readVisitorUserAgents>,
  disguised: boolean,
): readonly string[] {
  return visitors.filter((visitor) => isDisguised(visitor) === disguised).map(({ userAgent }) => userAgent);
}
