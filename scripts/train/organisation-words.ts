import { classifyNetwork } from '../../src/datasets/networks/classify-network.ts';
import type { NetworkShape } from './network-shapes.ts';

/** What the words of an organisation's name say: `Solutions`, `Technologies` or `Cloudie`, not the words of the rules. */
export interface OrganisationWords {
  /** Sum of the log odds of hosting over the words, their highest, and how many words are known. */
  factsOf(organisation: string): readonly [sum: number, highest: number, known: number];
}

/** Rarer words say nothing. */
const MIN_NETWORKS = 5;
/** For a number that no table knows, so that only the rules for names answer. */
const UNKNOWN_ASN = 0;

/** Learns from networks whose use is known. The words that their class comes from are left out. */
export function learnWords(
  shapes: readonly NetworkShape[],
  isHosting: (shape: NetworkShape) => boolean,
): OrganisationWords {
  const counts = new Map<string, { hosting: number; other: number }>();
  const total = { hosting: 0, other: 0 };
  for (const shape of shapes) {
    const kind = isHosting(shape) ? 'hosting' : 'other';
    total[kind] += 1;
    for (const word of tellingWords(shape.organisation)) {
      const row = counts.get(word) ?? { hosting: 0, other: 0 };
      row[kind] += 1;
      counts.set(word, row);
    }
  }
  const share = total.hosting / Math.max(1, total.other);
  const odds = new Map<string, number>();
  for (const [word, { hosting, other }] of counts) {
    if (hosting + other >= MIN_NETWORKS) {
      odds.set(word, Math.log((hosting + share / 2) / (other + 0.5) / share));
    }
  }
  return {
    factsOf(organisation) {
      const known = tellingWords(organisation).flatMap((word) => odds.get(word) ?? []);
      const sum = known.reduce((all, one) => all + one, 0) / Math.sqrt(Math.max(1, known.length));
      return [sum, Math.max(0, ...known), known.length];
    },
  };
}

/** Words without which the rules would say the same. */
function tellingWords(organisation: string): readonly string[] {
  const name = organisation.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const words = [...new Set(name.match(/[a-z0-9]{2,}/g) ?? [])];
  const byName = classifyNetwork(UNKNOWN_ASN, name);
  return words.filter(
    (word) =>
      classifyNetwork(UNKNOWN_ASN, word) === null &&
      (byName === null || classifyNetwork(UNKNOWN_ASN, name.replaceAll(word, ' ')) === byName),
  );
}
