import { parseDomainName } from '../../src/addresses/email-address.ts';
import { createBurnerNameModel } from '../../src/processors/email/burner-name-model.ts';
import { halfOf } from '../evaluate/reliability.ts';
import { isHeldBack, isHeldBackFromCuts, mergeExamples } from './name-examples.ts';
import { scoresOf, thresholdFor } from './name-thresholds.ts';
import { trainBurnerNames, uncalibrated } from './train-burner-names.ts';
import type { TrainingList } from './training-domains.ts';
import { isBurnerWorld } from './training-packages.ts';

/** Versions of the curated lists between which names were added. */
export interface Cut {
  /** The versions that the model of this cut learns from: the last of each list is the one of its day. */
  readonly known: readonly ListVersion[];
  /** The later versions whose other names are searched for. */
  readonly later: readonly ListVersion[];
}

type ListVersion = `${string} ${string}`;

/** January 2024, September 2024 and October 2025, by the dates in `fakefilter`. */
const CUTS: readonly Cut[] = [
  {
    known: ['disposable-email-domains-js 1.7.0', 'fakefilter 0.1.191', 'fakefilter 0.1.729'],
    later: ['disposable-email-domains-js 1.14.0', 'fakefilter 0.1.966'],
  },
  {
    known: [
      'disposable-email-domains-js 1.14.0',
      'fakefilter 0.1.191',
      'fakefilter 0.1.729',
      'fakefilter 0.1.966',
    ],
    later: ['disposable-email-domains-js 1.24.0', 'fakefilter 0.1.1206', 'fakefilter 0.1.1361'],
  },
  {
    known: [
      'disposable-email-domains-js 1.24.0',
      'fakefilter 0.1.191',
      'fakefilter 0.1.729',
      'fakefilter 0.1.966',
      'fakefilter 0.1.1206',
      'fakefilter 0.1.1361',
    ],
    later: ['disposable-email-domains-js 1.26.0', 'fakefilter 0.1.1476'],
  },
];

/** A share of clean names that may be wrong. */
const COSTS = [
  { world: 'visited sites', share: 0.003 },
  { world: 'visited sites', share: 0.01 },
  { world: 'visited and linked sites', share: 0.01 },
  { world: 'hosts of other sites', share: 0.01 },
  { world: 'hosts of other sites', share: 0.02 },
] as const;

type World = (typeof COSTS)[number]['world'];

/** Later names that are found at one cost, of all cuts together. */
export interface LaterNames {
  readonly world: World;
  /** 0 to 1. */
  readonly share: number;
  readonly found: number;
  readonly names: number;
}

/**
 * Trains a model for each cut on the names of that day, and counts how many names of the later versions it finds. The
 * thresholds are from clean names that the model has not seen.
 */
export function measureLaterNames(lists: readonly TrainingList[]): readonly LaterNames[] {
  const counted = CUTS.map((cut) => {
    const known = listsOfDay(lists, cut);
    const examples = mergeExamples(known).filter(({ name }) => !isHeldBackFromCuts(name));
    const learned = trainBurnerNames(examples);
    const model = createBurnerNameModel(uncalibrated(learned));
    const scores = scoresOf(laterNames(lists, cut), model);
    const clean = cleanWorlds(lists);
    return COSTS.map(({ world, share }) => {
      const threshold = thresholdFor(scoresOf(clean[world], model), share);
      return { found: scores.filter((score) => score >= threshold).length, names: scores.length };
    });
  });
  return COSTS.map((cost, i) => ({
    ...cost,
    found: counted.reduce((sum, ofCut) => sum + (ofCut[i]?.found ?? 0), 0),
    names: counted.reduce((sum, ofCut) => sum + (ofCut[i]?.names ?? 0), 0),
  }));
}

/** The lists of a day: the curated ones as they were then, the wide and the clean ones as they are. */
export function listsOfDay(lists: readonly TrainingList[], { known }: Cut): readonly TrainingList[] {
  const newest = new Map(known.map((version) => [version.split(' ')[0], version]));
  return lists.flatMap((list) => {
    if (!isBurnerWorld(list.world) || !list.isCurated) return [list];
    if (!known.some((version) => version === versionOf(list))) return [];
    return newest.get(list.name) === versionOf(list)
      ? [{ ...list, world: 'burners' as const, weight: CURRENT_WEIGHT }]
      : [list];
  });
}

const CURRENT_WEIGHT = 10;

/**
 * The names of the later versions that no list of that day has. Names that differ in their digits alone count once.
 * Names below a host that gives subdomains to anyone are left out, because the host decides about them. So are the names
 * that are held aside from all tuning.
 */
export function laterNames(lists: readonly TrainingList[], cut: Cut): readonly string[] {
  const known = new Set(listsOfDay(lists, cut).flatMap(({ domains }) => domains));
  const later = lists.filter((list) => cut.later.some((version) => version === versionOf(list)));
  const families = new Map<string, string>();
  for (const name of later.flatMap(({ domains }) => domains).toSorted()) {
    const domain = parseDomainName(name);
    if (known.has(name) || isHeldAside(name) || domain?.suffixKind !== 'icann') continue;
    const family = name.replace(/\d+/g, '0');
    if (!families.has(family)) families.set(family, name);
  }
  return [...families.values()];
}

/** Clean names that no model of a cut has seen, without the half that is held aside. */
function cleanWorlds(lists: readonly TrainingList[]): Readonly<Record<World, readonly string[]>> {
  const burners = new Set(lists.flatMap(({ world, domains }) => (isBurnerWorld(world) ? domains : [])));
  const of = (wanted: TrainingList['world']) =>
    new Set(lists.flatMap(({ world, domains }) => (world === wanted ? domains : [])));
  const isUnseen = (name: string) => isHeldBackFromCuts(name) && !isHeldAside(name) && !burners.has(name);
  const [sites, hosts, organisations] = [of('sites'), of('hosts'), of('organisations')];
  const visited = [...sites].filter(isUnseen);
  return {
    'visited sites': visited,
    'visited and linked sites': visited.filter((name) => hosts.has(name) || organisations.has(name)),
    'hosts of other sites': [...hosts].filter(
      (name) => isUnseen(name) && !sites.has(name) && !organisations.has(name),
    ),
  };
}

function isHeldAside(name: string): boolean {
  return isHeldBack(name) && halfOf(name) === 'held aside';
}

function versionOf({ name, version }: TrainingList): string {
  return `${name} ${version}`;
}
