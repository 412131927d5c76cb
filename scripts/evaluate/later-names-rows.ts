import { readFileSync } from 'node:fs';
import type { LaterNames } from '../train/later-names.ts';
import { confidence } from './comparison.ts';
import type { Measurement, Target } from './measurement.ts';

/** `npm run train` writes it, because each figure needs a model that was trained on older lists. */
const FILE = new URL('../../data/later-names.json', import.meta.url);

/** The targets of the two costs in visited sites. */
const TARGETS: ReadonlyMap<number, Target> = new Map([
  [0.003, { bound: 'at_least', share: 0.22 }],
  [0.01, { bound: 'at_least', share: 0.38 }],
]);

/** What models of earlier days found of the names that the curated lists added later, with the 95 % interval. */
export function readLaterNames(): readonly Measurement[] {
  const { later } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly later: readonly LaterNames[] };
  return later.map(({ world, share, found, names }) => {
    const [low, high] = confidence({ hits: found, population: names });
    return {
      set: `name model: later names, at ${percent(share)} of ${world}`,
      counted: `at training; 95 % interval ${percent(low)} to ${percent(high)}`,
      population: names,
      hits: found,
      target: world === 'visited sites' ? (TARGETS.get(share) ?? null) : null,
      whole: null,
      reasons: {},
      apart: [],
      wrong: [],
    };
  });
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
