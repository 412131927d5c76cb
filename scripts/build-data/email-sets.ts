import { type DomainName, domainAndParents, parseDomainName } from '../../src/addresses/email-address.ts';
import { FREE_PROVIDERS, NOT_HOSTS, NOT_ROLES, PAID_SUFFIXES, RELAYS } from './known-domains.ts';

/** The lists that the email data sets are derived from, entries as their packages spell them. */
export interface EmailLists {
  /** Curated: being in one of them is enough. */
  readonly curated: readonly (readonly string[])[];
  /** Wide lists, which are checked less carefully: a name on only one of them is only suspected. */
  readonly wide: readonly (readonly string[])[];
  readonly providers: readonly string[];
  readonly commonProviders: readonly string[];
  readonly schools: readonly string[];
  /** Suffixes that registries keep for schools, more or less: see `academicSuffixes`. */
  readonly schoolSuffixes: readonly string[];
  readonly governments: readonly string[];
  readonly roles: readonly string[];
}

/** Lower-case A-labels, sorted; roles are lower-case local parts. */
export interface EmailSets {
  readonly disposable: readonly string[];
  readonly suspected: readonly string[];
  readonly freeSubdomainHosts: readonly string[];
  readonly freeProviders: readonly string[];
  /** Providers and relays that no feed and no wide list may turn into burners. */
  readonly protectedProviders: readonly string[];
  readonly academic: readonly string[];
  readonly relays: readonly string[];
  readonly roles: readonly string[];
}

/**
 * With this many listed names directly below it, a registrable domain counts as a host that gives subdomains to anyone.
 * Domains with fewer are companies of which a few machines were abused. `mooo.com`, `us.to` and `linkpc.net` have more.
 */
const MIN_BURNERS_UNDER_HOST = 5;

/**
 * Sorts the names into sets. Precedence where lists contradict each other: school, government, relay, provider that
 * everybody knows (unless a curated list names it), disposable, suspected, any other provider.
 */
export function deriveEmailSets(lists: EmailLists): EmailSets {
  const academic = namesOf(lists.schools, isSuffixOrName);
  const government = new Set(lists.governments);
  const relays = new Set(RELAYS);
  const votes = countVotes(lists);

  const known = new Set([...FREE_PROVIDERS, ...namesOf(lists.commonProviders, isNameOrPrivateSuffix)]);
  const protectedProviders = [...known].filter((name) => !votes.get(name)?.curated || isWritten(name));
  const clean = new Set([...protectedProviders, ...relays]);
  const isClean = (domain: DomainName) => clean.has(domain.ascii) || isUnder(domain, academic, government);

  const disposable = new Set<string>();
  const suspected = new Set<string>();
  for (const [name, vote] of votes) {
    if (isClean(vote.domain)) continue;
    (vote.curated || vote.lists > 1 ? disposable : suspected).add(name);
  }
  const providers = namesOf(lists.providers, isNameOrPrivateSuffix);
  const freeProviders = [...providers, ...FREE_PROVIDERS].filter(
    (name) => !disposable.has(name) && !suspected.has(name) && !relays.has(name),
  );
  return {
    disposable: sorted(disposable),
    suspected: sorted(suspected),
    freeSubdomainHosts: sorted(freeSubdomainHosts(votes, isClean)),
    freeProviders: sorted(freeProviders),
    protectedProviders: sorted(clean),
    academic: sorted([...academic, ...openlyAcademic(lists.schoolSuffixes, votes)]),
    relays: sorted(relays),
    roles: sorted(lists.roles.map((role) => role.trim().toLowerCase()).filter(isRole)),
  };
}

/**
 * Suffixes such as `edu.pl` and `edu.kg` are left out: the throwaway domains below them show that anyone gets a name there.
 * The five throwaway names below `edu` belong to schools that gave addresses to strangers. Its registry accepts only
 * accredited schools.
 */
function openlyAcademic(suffixes: readonly string[], votes: ReadonlyMap<string, Vote>): string[] {
  const burners = new Map<string, number>();
  for (const { domain } of votes.values()) {
    burners.set(domain.publicSuffix, (burners.get(domain.publicSuffix) ?? 0) + 1);
  }
  const isKept = (suffix: string) => suffix === 'edu' || (burners.get(suffix) ?? 0) < MIN_BURNERS_UNDER_HOST;
  return suffixes.filter(isKept);
}

interface Vote {
  readonly domain: DomainName;
  lists: number;
  curated: boolean;
}

/** How many lists name each domain. A list that names one twice has one vote. */
function countVotes({ curated, wide }: EmailLists): Map<string, Vote> {
  const votes = new Map<string, Vote>();
  for (const list of [...curated, ...wide]) {
    const isCurated = curated.includes(list);
    const seen = new Set<string>();
    for (const entry of list) {
      const domain = parseDomainName(entry.trim().toLowerCase());
      // Lists contain suffixes such as `edu.pl` and `com.com`. As suffixes, they would match a whole country.
      if (!domain || !isNameOrPrivateSuffix(domain) || seen.has(domain.ascii)) continue;
      seen.add(domain.ascii);
      const vote = votes.get(domain.ascii) ?? { domain, lists: 0, curated: false };
      vote.lists += 1;
      vote.curated ||= isCurated;
      votes.set(domain.ascii, vote);
    }
  }
  return votes;
}

/**
 * Private suffixes that are on a list or have many listed names below them, and registrable domains with many listed
 * names below them. A registrable domain that is itself on a list is left out, because it matches all its subdomains.
 */
function freeSubdomainHosts(
  votes: ReadonlyMap<string, Vote>,
  isClean: (domain: DomainName) => boolean,
): Set<string> {
  const burnersUnder = new Map<string, number>();
  for (const { domain } of votes.values()) {
    const host = domain.suffixKind === 'private' ? domain.publicSuffix : domain.registrable;
    if (host !== null && host !== domain.ascii) burnersUnder.set(host, (burnersUnder.get(host) ?? 0) + 1);
  }
  const exceptions = new Set([...PAID_SUFFIXES, ...NOT_HOSTS]);
  const hosts = new Set<string>();
  const consider = (domain: DomainName | null) => {
    if (domain && !isClean(domain) && !exceptions.has(domain.ascii)) hosts.add(domain.ascii);
  };
  for (const { domain } of votes.values()) if (domain.registrable === null) consider(domain);
  for (const [name, count] of burnersUnder) {
    if (count >= MIN_BURNERS_UNDER_HOST && !isListed(votes.get(name))) consider(parseDomainName(name));
  }
  return hosts;
}

/** Whether the name already matches everything below it. A private suffix matches only itself. */
function isListed(vote: Vote | undefined): boolean {
  return vote !== undefined && vote.domain.registrable !== null && (vote.curated || vote.lists > 1);
}

function isUnder(domain: DomainName, ...sets: readonly ReadonlySet<string>[]): boolean {
  const names = [...domainAndParents(domain), ...parentsOf(domain.publicSuffix)];
  return names.some((name) => sets.some((set) => set.has(name)));
}

/** `gov.uk` and `uk` of `gov.uk`. */
function parentsOf(suffix: string): string[] {
  const labels = suffix.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

function isRole(name: string): boolean {
  return name !== '' && !NOT_ROLES.includes(name);
}

function isWritten(name: string): boolean {
  return FREE_PROVIDERS.includes(name);
}

function isNameOrPrivateSuffix(domain: DomainName): boolean {
  return domain.registrable !== null || domain.suffixKind === 'private';
}

function isSuffixOrName(domain: DomainName): boolean {
  return domain.suffixKind !== 'unknown';
}

function namesOf(entries: readonly string[], accepts: (domain: DomainName) => boolean): Set<string> {
  const domains = entries.map((entry) => parseDomainName(entry.trim().toLowerCase()));
  return new Set(
    domains.filter((domain) => domain !== null && accepts(domain)).map((domain) => domain?.ascii ?? ''),
  );
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}
