import type { Judge } from '../../src/assessment/judge.ts';
import { type Measurement, type MeasureOptions, measureFactor, type Sample } from './measurement.ts';
import type { NeutralAttempts } from './neutral-attempts.ts';
import {
  hasPublicData,
  isDisguised,
  readBrowserUserAgents,
  readPublicLines,
  readVisitorUserAgents,
  whyNoBrowser,
} from './public-data.ts';

const NEARLY_ALL = { bound: 'at_least', share: 0.99 } as const;
const FEW = { bound: 'at_most', share: 0.01 } as const;

/** Crawlers, browsers, and the visitors of one day. */
export async function measureDevices(
  judge: Judge,
  attempts: NeutralAttempts,
): Promise<readonly Measurement[]> {
  const samples = function* (userAgents: Iterable<string>): Iterable<Sample> {
    for (const userAgent of userAgents) yield { name: userAgent, attempt: attempts.withUserAgent(userAgent) };
  };
  const measure = (userAgents: Iterable<string>, options: Omit<MeasureOptions, 'factor'>) =>
    measureFactor(judge, samples(userAgents), { ...options, factor: 'user_agent' });

  const visitors = readVisitorUserAgents();
  const rows: Measurement[] = [];
  if (hasPublicData('crawler-user-agents.txt')) {
    const crawlers = readPublicLines('crawler-user-agents.txt');
    rows.push(await measure(crawlers, { set: 'crawler-user-agents', target: NEARLY_ALL }));
  }
  if (hasPublicData('browser-user-agents.yml')) {
    rows.push(
      await measure(readBrowserUserAgents(), {
        set: 'browser-user-agents',
        target: FEW,
        setApart: (userAgent, reason) =>
          reason === 'outdated_browser' ? 'outdated browsers' : whyNoBrowser(userAgent),
      }),
    );
  }
  return [
    ...rows,
    await measure(userAgentsOf(visitors, false), { set: 'user-agents, honest visitors', target: FEW }),
    await measure(userAgentsOf(visitors, true), {
      set: 'user-agents, phones that run on desktops',
      target: null,
    }),
  ];
}

function userAgentsOf(
  visitors: ReturnType<typeof readVisitorUserAgents>,
  disguised: boolean,
): readonly string[] {
  return visitors.filter((visitor) => isDisguised(visitor) === disguised).map(({ userAgent }) => userAgent);
}
