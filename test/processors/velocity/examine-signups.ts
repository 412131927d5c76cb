import type { Examination } from '../../../src/assessment/processor.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import type { VelocityLimits } from '../../../src/processors/velocity/velocity-limits.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

/** The defaults, but for the limit of an address: at the default it coincides with that of a network. */
export const defaultLimits = { ...defaultConfig.scoring.velocity, ip: { per_hour: 10, per_day: 40 } };

export const START = Date.UTC(2026, 10, 21);

/** Examines signups in a row with their own counters; returns all results. */
export function examineAll(
  signups: readonly Signup[],
  limits: VelocityLimits = defaultLimits,
): readonly Examination[] {
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits });
  return signups.map((signup) => {
    const examination = processor.examine(attemptOf(signup));
    if (examination instanceof Promise) throw new Error('memory answers at once');
    return examination;
  });
}

export const perHour = (dimension: string, count: number, limit: number) => ({
  ...{ dimension, count, limit, window: 'per_hour' },
});
export const codes = (examination: Examination | undefined) =>
  examination?.findings.map(({ code }) => code) ?? [];
export const many = (count: number, signup: (i: number) => Omit<Signup, 'at'>): readonly Signup[] =>
  Array.from({ length: count }, (_, i) => ({ ...signup(i), at: START + i * 1000 }));

/** Mailboxes that share nothing but their provider. */
export const stranger = (i: number) =>
  `${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${'person'.slice(i % 6)}.${WORDS[i % 7]}${WORDS[(i * 3) % 7]}@gmail.com`;
export const WORDS = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo'];
export const differentNetwork = (i: number) => `81.1.${i}.9`;
