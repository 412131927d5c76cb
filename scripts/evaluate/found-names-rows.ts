import { readFileSync } from 'node:fs';
import type { LaterNames } from '../train/later-names.ts';
import type { Recall } from '../train/recall-by-half.ts';
import { percent } from './figure-texts.ts';
import type { Measurement, Target } from './measurement.ts';

/** `npm run train` writes it: the figures need names that the build does not have, and models of older lists. */
const FILE = new URL('../../data/found-names.json', import.meta.url);

interface FoundNames {
  readonly unseen: readonly Recall[];
  readonly later: readonly LaterNames[];
}

/** What some of the names are that a model finds: at which cost, and what is wanted of it. */
interface Found extends Omit<LaterNames, 'world'> {
  /** The clean names that set the threshold. */
  readonly world: string;
  readonly target: number | undefined;
}

/** Wanted at a cost in sites that others link, by that cost. */
const WANTED_OF_UNSEEN: ReadonlyMap<number, number> = new Map([
  [0.003, 0.45],
  [0.01, 0.6],
]);
/** Wanted at a cost in visited sites. */
const WANTED_OF_LATER: ReadonlyMap<number, number> = new Map([
  [0.003, 0.22],
  [0.01, 0.38],
]);

/**
 * What the model finds of current curated names that it has not seen, for the half that may be tuned on and the half that
 * is held aside. Only the first has targets.
 */
export function readUnseenNames(): readonly Measurement[] {
  return read().unseen.map((recall) => {
    const isWanted = recall.half === 'development' && recall.world === 'visited and linked sites';
    const target = isWanted ? WANTED_OF_UNSEEN.get(recall.share) : undefined;
    return measurementOf(`names not learned, ${recall.half}`, { ...recall, target });
  });
}

/** What models of earlier days found of the names that the curated lists added later. */
export function readLaterNames(): readonly Measurement[] {
  return read().later.map((later) => {
    const target = later.world === 'visited sites' ? WANTED_OF_LATER.get(later.share) : undefined;
    return measurementOf('later names', { ...later, target });
  });
}

function read(): FoundNames {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

function measurementOf(set: string, { world, share, found, names, target }: Found): Measurement {
  return {
    set: `name model: ${set}, at ${percent(share)} of ${world}`,
    counted: 'at training',
    population: names,
    hits: found,
    target: target === undefined ? null : ({ bound: 'at_least', share: target } satisfies Target),
    whole: null,
    reasons: {},
    apart: [],
    wrong: [],
  };
}
