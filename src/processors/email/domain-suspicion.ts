/** The evidence about a domain that no reliable list contains. */
export interface DomainEvidence {
  /** Log ratio of its name (`BurnerNameModel.logRatio`); null when the model says nothing. */
  readonly name: number | null;
  /** Score of the letters alone (`BurnerNameModel.letters`); null when the model says nothing. */
  readonly letters: number | null;
  /** Whether exactly one wide list of throwaway domains contains it. */
  readonly isListed: boolean;
  /** Whether the domain is below a host that gives subdomains to anyone. */
  readonly isUnderHost: boolean;
}

/** The evidence as one probability. The parts are natural logarithms of odds, and add up. */
export interface DomainSuspicion {
  /** The probability, from 0 to 1, that the domain exists for throwaway mailboxes. */
  readonly probability: number;
  readonly parts: { readonly name?: number; readonly list?: number; readonly host?: number };
  /** The factor for the points of `suspicious_domain`. */
  readonly strength: number;
}

/** Of the domains that no list, data set or provider table knows, one in ten is assumed to be a throwaway domain. */
export const ASSUMED_SHARE = 0.1;

/**
 * A wide list contains 28 to 44 % of the throwaway domains that no curated list contains, and 0.07 % of the 88,000 most
 * visited sites: log(400) is 6. The weight is one less, because wide lists copy each other's mistakes.
 */
const LIST_ODDS = 5;
/** Odds of three to one are a cautious guess, because no public list has honest mailboxes under such hosts. */
const HOST_ODDS = 1.1;

/**
 * The lists hold few clean names under `.shop`, `.store` or `.online`, so each honest shop there has a high score
 * because of its suffix. A name whose letters have a lower score than this therefore gets a probability of at most one
 * half. This was measured with 760 names of visited sites and package authors, put under eighteen such suffixes. Of
 * those that the model notices, 2 % have letters with at least this score. Of live throwaway names under these
 * suffixes, 23 % have it.
 */
const ODD_LETTERS = 0.7;

/**
 * At this probability, the domain gets the share `WEAKEST` of the code's points. The share grows with the odds up to
 * `STRONGEST`.
 */
const WEAK_PROBABILITY = 0.5;
const STRONG_PROBABILITY = 0.9;
/** 30 of 35 points: the factor is at medium risk, the decision stays low. */
const WEAKEST = 30 / 35;
/** 60 of 35 points: the factor is at high risk, and the signup must be verified. */
const STRONGEST = 60 / 35;

/** Adds up the evidence. The function is pure. */
export function weighDomain({ name, letters, isListed, isUnderHost }: DomainEvidence): DomainSuspicion {
  const hasOddLetters = letters !== null && letters >= ODD_LETTERS;
  const parts = {
    ...(name !== null && { name: hasOddLetters ? name : Math.min(name, -logOdds(ASSUMED_SHARE)) }),
    ...(isListed && { list: LIST_ODDS }),
    ...(isUnderHost && { host: HOST_ODDS }),
  };
  const odds = Object.values(parts).reduce((sum, part) => sum + part, logOdds(ASSUMED_SHARE));
  const span = logOdds(STRONG_PROBABILITY) - logOdds(WEAK_PROBABILITY);
  const share = Math.max(0, Math.min(1, (odds - logOdds(WEAK_PROBABILITY)) / span));
  return {
    probability: 1 / (1 + Math.exp(-odds)),
    parts,
    strength: WEAKEST + share * (STRONGEST - WEAKEST),
  };
}

function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability));
}
