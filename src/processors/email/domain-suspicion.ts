/** What is known of a domain that no certain list contains. */
export interface DomainEvidence {
  /** Log ratio of its name (`BurnerNameModel.logRatio`); null when the model says nothing. */
  readonly name: number | null;
  /** Score of the letters alone (`BurnerNameModel.letters`); null when the model says nothing. */
  readonly letters: number | null;
  /** Whether exactly one wide list of throwaway domains contains it. */
  readonly isListed: boolean;
  /** Whether it lies under a host that gives subdomains away. */
  readonly isUnderHost: boolean;
}

/** The evidence as one probability. The parts are natural logarithms of odds, and add up. */
export interface DomainSuspicion {
  /** 0 to 1: that the domain is made for throwaway mailboxes. */
  readonly probability: number;
  readonly parts: { readonly name?: number; readonly list?: number; readonly host?: number };
  /** Multiplies the points of `suspicious_domain`. */
  readonly strength: number;
}

/** Of the domains that no list, data set or provider table knows, one in ten is assumed to be a throwaway domain. */
export const ASSUMED_SHARE = 0.1;

/**
 * A wide list contains 28 to 44 % of the throwaway domains that no curated list contains, and 0.07 % of the 88,000 most
 * visited sites: log(400) is 6. One less, because wide lists copy each other's mistakes.
 */
const LIST_ODDS = 5;
/** Three to one: a cautious guess, because no public list has honest mailboxes under such hosts. */
const HOST_ODDS = 1.1;

/**
 * The lists hold few clean names under `.shop`, `.store` or `.online`, so that the score of each honest shop there is high
 * by its suffix. Without odd letters, a name and its suffix make a throwaway domain at most as likely as not. Of 783 names
 * of visited sites and package authors, put under eighteen such suffixes, 2 % of those that the model notices have letters
 * with at least this score; of live throwaway names there, 42 %.
 */
const ODD_LETTERS = 1;

/** At this probability the points are `WEAKEST` of the code's points, and grow with the odds up to `STRONGEST`. */
const WEAK_PROBABILITY = 0.5;
const STRONG_PROBABILITY = 0.9;
/** 30 of 35 points: the factor is at medium risk, the decision stays low. */
const WEAKEST = 30 / 35;
/** 60 of 35 points: the factor is at high risk, so that the decision is a verification. */
const STRONGEST = 60 / 35;

/** Adds the evidence up. Pure. */
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
