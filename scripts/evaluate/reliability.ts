import { hash } from 'node:crypto';
import { type DomainName, parseDomainName } from '../../src/addresses/email-address.ts';
import type { EmailDatasets } from '../../src/datasets/datasets.ts';
import { ASSUMED_SHARE, weighDomain } from '../../src/processors/email/domain-suspicion.ts';
import { nameIn } from '../../src/processors/email/domain-verdict.ts';
import type { EmailModels } from '../../src/processors/email/email-models.ts';
import { readAuthorDomains } from './author-domains.ts';
import { readPublicLines } from './public-data.ts';

/** How often domains of one band of probability are throwaway domains. */
export interface ReliabilityBand {
  readonly half: Half;
  readonly from: number;
  readonly to: number;
  readonly burners: number;
  readonly clean: number;
  /** Mean probability that the judge gives: burners and clean names in the assumed shares. 0 to 1; null for no domains. */
  readonly predicted: number | null;
  /** Share of burners in the same mixture. */
  readonly observed: number | null;
}

/**
 * By the hash of the name. Tune on the development half alone. The version of 22 November 2026 is the first with halves:
 * its threshold and the share of its regression were chosen with a look at both.
 */
export type Half = 'development' | 'held aside';

const EDGES = [0, 0.05, 0.2, 0.5, 0.8, 0.9, 1] as const;

interface Weighted {
  readonly name: string;
  readonly probability: number;
  /** Every world of clean names counts the same, and burners have the assumed share. */
  readonly weight: number;
  readonly isBurner: boolean;
}

/**
 * Compares the probability of a throwaway domain with what the domains are. Only domains that no certain list and no
 * provider table decides count, because the others have no probability.
 */
export function measureReliability(datasets: EmailDatasets, models: EmailModels): readonly ReliabilityBand[] {
  const burners = weigh(readPublicLines('disposable-domains-live.txt'), true);
  const cleanWorlds = [
    readPublicLines('top-domains.txt'),
    readPublicLines('university-domains.txt'),
    readAuthorDomains(),
  ].map((names) => weigh(names, false));

  return (['development', 'held aside'] as const).flatMap((half) => {
    const sample = [
      ...sharedOut(burners, half, ASSUMED_SHARE),
      ...cleanWorlds.flatMap((world) => sharedOut(world, half, (1 - ASSUMED_SHARE) / cleanWorlds.length)),
    ];
    return EDGES.slice(1).map((to, i) => bandOf(sample, { half, from: EDGES[i] ?? 0, to }));
  });

  function weigh(names: readonly string[], isBurner: boolean): Omit<Weighted, 'weight'>[] {
    const domains = new Map<string, DomainName>();
    for (const text of names) {
      const domain = parseDomainName(text.toLowerCase());
      if (domain?.registrable) domains.set(domain.registrable, domain);
    }
    return [...domains].flatMap(([name, domain]) => {
      const probability = probabilityOf(domain, isBurner);
      return probability === null ? [] : [{ name, probability, isBurner }];
    });
  }

  function probabilityOf(domain: DomainName, isBurner: boolean): number | null {
    if (nameIn(domain, datasets.disposable) !== null) return null;
    if (isBurner && nameIn(domain, datasets.freeProviders) !== null) return null;
    if (models.knownSites.has(domain) || models.knownSites.hasInCountry(domain)) return 0;
    const score = models.burnerNames.score(domain);
    return weighDomain({
      name: score === null ? null : models.burnerNames.logRatio(score),
      letters: models.burnerNames.letters(domain),
      isListed: nameIn(domain, datasets.suspected) !== null,
      isUnderHost: false,
    }).probability;
  }
}

function sharedOut(names: readonly Omit<Weighted, 'weight'>[], half: Half, share: number): Weighted[] {
  const own = names.filter(({ name }) => halfOf(name) === half);
  return own.map((one) => ({ ...one, weight: share / own.length }));
}

/** The first hexadecimal digit of the hash decides. */
export function halfOf(name: string): Half {
  return Number.parseInt(hash('sha256', `evaluation ${name}`, 'hex').slice(0, 1), 16) < 8
    ? 'development'
    : 'held aside';
}

function bandOf(
  sample: readonly Weighted[],
  { half, from, to }: Pick<ReliabilityBand, 'half' | 'from' | 'to'>,
): ReliabilityBand {
  const inside = sample.filter(
    ({ probability }) => probability >= from && (probability < to || (to === 1 && probability === 1)),
  );
  const weight = inside.reduce((sum, one) => sum + one.weight, 0);
  const mean = (value: (one: Weighted) => number) =>
    weight === 0 ? null : inside.reduce((sum, one) => sum + one.weight * value(one), 0) / weight;
  return {
    half,
    from,
    to,
    burners: inside.filter(({ isBurner }) => isBurner).length,
    clean: inside.filter(({ isBurner }) => !isBurner).length,
    predicted: mean(({ probability }) => probability),
    observed: mean(({ isBurner }) => (isBurner ? 1 : 0)),
  };
}
