import { KNOWN_NETWORKS } from '../../src/datasets/networks/known-networks.ts';
import type { NetworkShape } from './network-shapes.ts';
import { type NetworkRanking, rankNetworks } from './rank-networks.ts';

/** A use that announcements and words can show. */
export type FoundUse = 'hosting' | 'access' | 'business';

/** A network that looks like those of a use, with the log odds of the trees. */
export interface NetworkCandidate {
  readonly asn: number;
  readonly organisation: string;
  readonly ranges: number;
  readonly use: FoundUse;
  readonly score: number;
}

export interface NetworkSearch {
  /** Networks without a class whose score is high enough, by number. */
  readonly found: readonly NetworkCandidate[];
  /** Scores of networks whose class is known, from trees that have not seen them. */
  readonly crossValidated: Readonly<Record<FoundUse, NetworkRanking['crossValidated']>>;
}

/**
 * Of the networks whose names say what they are, 1 % of access networks and a third of the hosters reach that of hosting
 * when the trees have not seen them. A wrong `access` or `business` costs one weak clue about a bot, a wrong `hosting`
 * costs people points: so the scores of the first two may be lower.
 */
export const FOUND_SCORES: Readonly<Record<FoundUse, number>> = { hosting: 2.5, access: 2, business: 2 };
/** A network in which people sit must not look like a hoster's at all. */
const MOST_LIKE_HOSTING = 0;
/** Smaller networks of people (less than a /22) are left out: there are many, and they have few people. */
const FEWEST_ADDRESSES_LOG2 = 10;

/** A name with such a word is no evidence of people, whatever the network announces. */
const MAY_HOST = /host|cloud|server|colo\b|\bidc/i;

/** Finds uses by what networks announce. The rules for names and the table of numbers stand above this guess. */
export function findNetworkUses(shapes: readonly NetworkShape[]): NetworkSearch {
  const hosting = rankNetworks(shapes, isHosting);
  const access = rankNetworks(shapes, isAccess);
  const business = rankNetworks(shapes, ({ networkClass }) => networkClass === 'business');
  const found = shapes.flatMap(({ asn, organisation, networkClass, facts }) => {
    // A number in the table without a class is a carrier of carriers, which serves all.
    if (networkClass !== null || KNOWN_NETWORKS.has(asn)) return [];
    const scores = {
      hosting: hosting.unknown.get(asn) ?? 0,
      access: access.unknown.get(asn) ?? 0,
      business: business.unknown.get(asn) ?? 0,
    };
    const use = useOf(scores, facts[1] ?? 0);
    const isDoubtful = use !== 'hosting' && MAY_HOST.test(organisation);
    return use === null || isDoubtful
      ? []
      : [{ asn, organisation, ranges: facts[0] ?? 0, use, score: scores[use] }];
  });
  return {
    found,
    crossValidated: {
      hosting: hosting.crossValidated,
      access: access.crossValidated,
      business: business.crossValidated,
    },
  };
}

export function isHosting({ networkClass }: NetworkShape): boolean {
  return networkClass === 'hosting' || networkClass === 'vpn';
}

function isAccess({ networkClass }: NetworkShape): boolean {
  return networkClass === 'access' || networkClass === 'mobile';
}

function useOf(scores: Readonly<Record<FoundUse, number>>, addressesLog2: number): FoundUse | null {
  if (scores.hosting >= FOUND_SCORES.hosting) return 'hosting';
  if (scores.hosting > MOST_LIKE_HOSTING || addressesLog2 < FEWEST_ADDRESSES_LOG2) return null;
  const use = scores.access >= scores.business ? 'access' : 'business';
  return scores[use] >= FOUND_SCORES[use] ? use : null;
}
