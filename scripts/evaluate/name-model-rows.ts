import { type DomainName, parseDomainName } from '../../src/addresses/domain-name.ts';
import type { BurnerNameModel } from '../../src/processors/email/burner-name-model.ts';
import { readEmailSources } from '../build-data/read-sources.ts';
import type { Measurement, Target } from './measurement.ts';
import { readPublicLines } from './public-data.ts';

const MAX_WRONG = 20;

/**
 * What the burner-name model knows by itself: live burners whose registrable domain no list of the training holds, at
 * the model's own threshold, which 1 % of the clean names reach that training held back (`models/README.md`).
 * Beside it how many clean public names reach it that training has not seen.
 */
export function measureNameModel(model: BurnerNameModel): readonly Measurement[] {
  const sources = readEmailSources();
  const { disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains, swot } = sources;
  const listed = registrablesOf(
    [disposableEmailDomainsJs, fakefilter, mailchecker, disposableDomains].flatMap(({ entries }) => entries),
  );
  const schools = registrablesOf(swot.entries);
  const measure = (
    set: string,
    file: string,
    known: ReadonlyMap<string, DomainName>,
    target: Target | null,
  ) => measureSet(model, set, [...registrablesOf(readPublicLines(file))], known, target);
  const none = new Map<string, DomainName>();
  return [
    measure('name model, live burners on no list', 'disposable-domains-live.txt', listed, {
      bound: 'at_least',
      share: 0.3,
    }),
    measure('name model, universities it was not shown', 'university-domains.txt', schools, null),
    measure('name model, .gov', 'us-government-domains.txt', none, null),
    measure('name model, top domains', 'top-domains.txt', none, null),
  ];
}

function measureSet(
  model: BurnerNameModel,
  set: string,
  domains: readonly (readonly [name: string, domain: DomainName])[],
  known: ReadonlyMap<string, DomainName>,
  target: Target | null,
): Measurement {
  const unseen = domains.filter(([name]) => !known.has(name));
  const isBurnerLike = (domain: DomainName) =>
    (model.score(domain) ?? Number.NEGATIVE_INFINITY) >= model.threshold;
  const hits = unseen.filter(([, domain]) => isBurnerLike(domain));
  const wrong = target ? unseen.filter(([, domain]) => !isBurnerLike(domain)) : hits;
  return {
    set,
    counted: 'score at or above the model’s threshold',
    population: unseen.length,
    hits: hits.length,
    target,
    whole: null,
    reasons: {},
    apart: [{ why: 'held by a list of the training', count: domains.length - unseen.length }],
    wrong: wrong.slice(0, MAX_WRONG).map(([name]) => name),
  };
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
