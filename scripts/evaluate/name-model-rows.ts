import { readFileSync } from 'node:fs';
import { type DomainName, parseDomainName } from '../../src/addresses/email-address.ts';
import type { EmailModels } from '../../src/processors/email/email-models.ts';
import { createKnownSites, type KnownSites } from '../../src/processors/email/known-sites.ts';
import { readEmailSources } from '../build-data/read-sources.ts';
import type { Measurement, Target } from './measurement.ts';
import { readPublicLines } from './public-data.ts';

/** Hashes of the throwaway names that only earlier versions of a list have; `npm run train` writes them. */
const EARLIER_NAMES = new URL('../../data/earlier-names.bin', import.meta.url);
const MAX_WRONG = 20;
const FALSE_POSITIVES = 0.01;

interface Scored {
  readonly name: string;
  /** Minus infinity where the model knows nothing of the name. */
  readonly score: number;
}

/** Names of one kind that no list of the training holds, scored. */
interface Unseen {
  readonly scored: readonly Scored[];
  /** How many a list of the training holds. */
  readonly seen: number;
}

/**
 * The share of live throwaway domains that the burner-name model finds without any list. Only domains that no training
 * list contains count. The threshold is the score that 1 % of the clean names reach, of those that training did not use.
 * The suffix alone shows that a .gov name is clean, so there is a second rate without these names, and a third one at the
 * threshold of the product.
 */
export function measureNameModel(models: EmailModels): readonly Measurement[] {
  const { disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains, swot } = readEmailSources();
  const lists = [disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains];
  const listed = registrablesOf(lists.flatMap((l) => l.entries));
  const earlier = readEarlierNames();
  const live = unseenOf('disposable-domains-live.txt', listed, models);
  const burners = withoutEarlier(live, earlier);
  const schools = unseenOf('university-domains.txt', registrablesOf(swot.entries), models);
  const government = unseenOf('us-government-domains.txt', new Map(), models);
  const sites = unseenOf('top-domains.txt', new Map(), models);

  const strict = [...schools.scored, ...sites.scored];
  const atOnePercent = thresholdAt([...strict, ...government.scored]);
  const product = models.burnerNames.threshold;
  return [
    measure('unlisted live burners, at 1 % of clean names', burners, atOnePercent, {
      bound: 'at_least',
      share: 0.3,
    }),
    measure('the same, at 1 % without .gov', burners, thresholdAt(strict)),
    measure('the same, at the product’s threshold', burners, product),
    measure('universities not shown, product’s threshold', schools, product),
    measure('.gov, product’s threshold', government, product),
    measure('top domains, product’s threshold', sites, product),
  ];
}

function measure(
  set: string,
  { scored, seen }: Unseen,
  threshold: number,
  target: Target | null = null,
): Measurement {
  const hits = scored.filter(({ score }) => score >= threshold);
  const wrong = target ? scored.filter(({ score }) => score < threshold) : hits;
  return {
    set: `name model: ${set}`,
    counted: `score at least ${threshold.toFixed(2)}`,
    population: scored.length,
    hits: hits.length,
    target,
    whole: null,
    reasons: {},
    apart: [{ why: 'held by a list of the training', count: seen }],
    wrong: wrong.slice(0, MAX_WRONG).map(({ name }) => name),
  };
}

/** The lowest score that at most 1 % reach. */
export function thresholdAt(clean: readonly Scored[]): number {
  const scores = clean.map(({ score }) => score).sort((a, b) => b - a);
  const firstTooMany = scores[Math.floor(scores.length * FALSE_POSITIVES)] ?? 0;
  return scores.findLast((score) => score > firstTooMany) ?? Number.POSITIVE_INFINITY;
}

function unseenOf(
  file: string,
  listed: ReadonlyMap<string, DomainName>,
  { burnerNames, knownSites }: EmailModels,
): Unseen {
  const all = [...registrablesOf(readPublicLines(file))];
  const unseen = all.filter(([name, domain]) => !listed.has(name) && !knownSites.has(domain));
  const scored = unseen.map(([name, domain]) => ({
    name,
    score: burnerNames.score(domain) ?? Number.NEGATIVE_INFINITY,
  }));
  return { scored, seen: all.length - unseen.length };
}

/** The training has learned from earlier versions of a list too. */
function withoutEarlier({ scored, seen }: Unseen, earlier: KnownSites): Unseen {
  const unseen = scored.filter(({ name }) => {
    const domain = parseDomainName(name);
    return domain !== null && !earlier.has(domain);
  });
  return { scored: unseen, seen: seen + scored.length - unseen.length };
}

function readEarlierNames(): KnownSites {
  const bytes = readFileSync(EARLIER_NAMES);
  return createKnownSites(
    Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4)),
  );
}

function registrablesOf(names: readonly string[]): ReadonlyMap<string, DomainName> {
  const domains = new Map<string, DomainName>();
  for (const name of names) {
    const domain = parseDomainName(name.trim().toLowerCase());
    const registrable = domain?.registrable && parseDomainName(domain.registrable);
    if (registrable) domains.set(registrable.ascii, registrable);
  }
  return domains;
}
