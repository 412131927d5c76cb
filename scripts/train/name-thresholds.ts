import { parseDomainName } from '../../src/addresses/email-address.ts';
import type { BurnerNameModel } from '../../src/processors/email/burner-name-model.ts';

/** Names of one world that training has not seen. */
export interface UnseenWorld {
  readonly name: string;
  readonly names: readonly string[];
  /** The largest share of its names that may come out burner-like; null for a world that is only reported. */
  readonly allowed: number | null;
}

/** The lowest score that no world's allowed share of names exceeds. */
export function chooseThreshold(
  worlds: readonly UnseenWorld[],
  model: Pick<BurnerNameModel, 'score'>,
): number {
  const lowest = worlds.flatMap(({ names, allowed }) =>
    allowed === null ? [] : [thresholdFor(scoresOf(names, model), allowed)],
  );
  return Number(Math.max(...lowest).toFixed(3));
}

/** The lowest score that at most this share of the scores reaches. */
export function thresholdFor(scores: readonly number[], share: number): number {
  const descending = scores.toSorted((a, b) => b - a);
  const firstTooMany = descending[Math.floor(descending.length * share)] ?? Number.NEGATIVE_INFINITY;
  return descending.findLast((score) => score > firstTooMany) ?? Number.POSITIVE_INFINITY;
}

/** Scores of the names that the model can judge. */
export function scoresOf(names: readonly string[], model: Pick<BurnerNameModel, 'score'>): number[] {
  return names.flatMap((name) => {
    const domain = parseDomainName(name);
    const score = domain && model.score(domain);
    return score === null ? [] : [score];
  });
}

/** For each world and threshold the share that reaches it, in percent. */
export function shareTable(
  worlds: readonly UnseenWorld[],
  model: Pick<BurnerNameModel, 'score'>,
  thresholds: Readonly<Record<string, number>>,
): readonly Readonly<Record<string, string | number>>[] {
  return worlds.map(({ name, names }) => {
    const scores = scoresOf(names, model);
    const shares = Object.entries(thresholds).map(([title, threshold]) => [
      title,
      percent(scores.filter((score) => score >= threshold).length, scores.length),
    ]);
    return { world: name, names: scores.length, ...Object.fromEntries(shares) };
  });
}

export function percent(part: number, whole: number): number {
  return Number(((100 * part) / Math.max(1, whole)).toFixed(2));
}
