import { adviseCidr, didYouMean } from './advise-text.ts';
import { closest } from './closest.ts';
import type { CompleteDocument } from './config-schema.ts';
import type { KnownNames } from './config-source.ts';
import type { IssueCollector, Validity } from './issue-collector.ts';
import { shorten, toPointer } from './pointer.ts';
import { parseDuration } from './quantities.ts';
import { MOST_COUNTED } from './scoring-schema.ts';

/** The values that the checks between settings read, and the place where they report issues. */
export interface CheckContext extends Validity {
  readonly document: CompleteDocument;
  readonly knownNames: KnownNames;
  /** JSON Pointers of all issues so far. */
  readonly places: ReadonlySet<string>;
  readonly issue: IssueCollector['issue'];
  readonly warn: IssueCollector['warn'];
}

/** RFC 7518 section 3.2: a key must be as long as the output of the hash, which is 32 bytes for HS256. */
const MIN_HS256_BYTES = 32;
const MIN_HASH_SECRET = 32;

/**
 * Checks of all settings except the gate, the dashboard and the feeds. They check relations between settings, and
 * values that need the known names.
 */
export function checkDocument(context: CheckContext): void {
  checkApi(context);
  checkScoring(context);
  checkVelocity(context);
  checkCodes(context);
  checkLists(context);
  checkAssertion(context);
  checkHashSecret(context);
}

/** Reports items of a list that have the same name as an earlier item. */
export function checkUnique(
  { document, isValid, issue }: CheckContext,
  pointer: '/api/keys' | '/proxy/routes' | '/assertion/keys' | '/exports' | '/alerts',
  field: 'name' | 'sha256' | 'id',
): void {
  const lists = {
    '/api/keys': document.api?.keys,
    '/proxy/routes': document.proxy?.routes,
    '/assertion/keys': document.assertion?.keys,
    '/exports': document.exports,
    '/alerts': document.alerts,
  };
  const seen = new Map<string, number>();
  for (const [i, item] of itemsOf<Readonly<Record<string, unknown>>>(lists[pointer])) {
    const place = `${pointer}/${i}/${field}`;
    if (!isValid(place)) continue;
    const value = String(item[field]).toLowerCase();
    const first = seen.get(value);
    if (first === undefined) seen.set(value, i);
    else issue(place, `the same ${field} as [${first}]`, `every ${field} must be unique`);
  }
}

/** The items of a list whose shape is unknown, with their indices. */
export function itemsOf<T>(list: unknown): readonly (readonly [number, T])[] {
  if (!Array.isArray(list)) return [];
  return [...list.entries()].filter(([, item]) => typeof item === 'object' && item !== null);
}

function checkApi(context: CheckContext): void {
  const { document, isValid, issue } = context;
  checkUnique(context, '/api/keys', 'name');
  checkUnique(context, '/api/keys', 'sha256');
  if (!isValid('/api/plans')) return;
  const plans = Object.keys(document.api.plans);
  for (const [i, { plan }] of itemsOf<{ readonly plan: string }>(document.api.keys)) {
    const place = `/api/keys/${i}/plan`;
    if (!isValid(place) || plans.includes(plan)) continue;
    const near = closest(plan, plans);
    issue(
      place,
      `there is no plan "${shorten(plan)}"`,
      near ? didYouMean(near) : `plans are ${plans.join(', ')}`,
    );
  }
}

function checkScoring({ document: { scoring }, isValid, issue, warn }: CheckContext): void {
  if (isValid('/scoring/weights') && Object.values(scoring.weights).every((weight) => weight === 0)) {
    issue('/scoring/weights', 'all weights are 0', 'give at least one factor a weight');
  }
  if (isValid('/scoring/levels') && scoring.levels.low <= scoring.levels.medium) {
    issue('/scoring/levels', 'low must be higher than medium', 'trust is high where risk is low');
  }
  if (isValid('/scoring/caps') && scoring.caps.two_high_factors > scoring.caps.one_high_factor) {
    warn('/scoring/caps', 'two_high_factors is milder than one_high_factor and has no effect');
  }
  if (isValid('/scoring/dns') && isValid('/scoring/deadline') && scoring.dns.enabled) {
    if ((parseDuration(scoring.dns.timeout) ?? 0) > (parseDuration(scoring.deadline) ?? 0)) {
      warn('/scoring/dns/timeout', 'longer than scoring.deadline, which ends the wait');
    }
  }
}

function checkVelocity({ document, isValid, warn }: CheckContext): void {
  if (!isValid('/scoring/velocity')) return;
  const { cohort: _, verified: __, ...limits } = document.scoring.velocity;
  for (const [dimension, windows] of Object.entries(limits)) {
    for (const [window, limit] of Object.entries(windows)) {
      if ((limit ?? 0) <= MOST_COUNTED) continue;
      warn(`/scoring/velocity/${dimension}/${window}`, 'never reached, because counts end at 8,192');
    }
  }
}

function checkCodes({ document: { scoring }, knownNames, isValid, isShaped, issue }: CheckContext): void {
  const check = (place: string, code: string, kinds: readonly string[], at: 'key' | 'value') => {
    if (!isValid(place)) return;
    const reason = Object.hasOwn(knownNames.reasons, code) ? knownNames.reasons[code] : undefined;
    if (reason && kinds.includes(reason.kind)) return;
    if (reason) {
      issue(place, `"${code}" is no finding and takes no points`, 'see docs/reasons.md', at);
      return;
    }
    const codes = Object.entries(knownNames.reasons).filter(([, { kind }]) => kinds.includes(kind));
    const names = codes.map(([name]) => name);
    const near = names.find((name) => name.startsWith(`${code}_`)) ?? closest(code, names);
    const hint = near === null ? 'see docs/reasons.md' : didYouMean(near);
    issue(place, `there is no reason "${shorten(code)}"`, hint, at);
  };
  if (isShaped('/scoring/decisive')) {
    for (const [i, code] of scoring.decisive.entries()) {
      check(`/scoring/decisive/${i}`, code, ['finding', 'list'], 'value');
    }
  }
  if (isShaped('/scoring/points')) {
    for (const code of Object.keys(scoring.points)) {
      check(`/scoring/points${toPointer([code])}`, code, ['finding'], 'key');
    }
  }
}

function checkLists({ document, knownNames, isValid, isShaped, issue, warn }: CheckContext): void {
  for (const name of ['allow', 'deny'] as const) {
    if (!isShaped(`/lists/${name}`)) continue;
    for (const [i, entry] of document.lists[name].entries()) {
      if (!isValid(`/lists/${name}/${i}`)) continue;
      if (name === 'allow' && entry.startsWith('pattern:')) {
        issue(`/lists/allow/${i}`, 'a pattern can only be denied', 'allow mailboxes or a domain instead');
      }
      if (knownNames.isListEntry(entry)) {
        const reach = knownNames.warnOfReach(entry, name);
        if (reach !== null) warn(`/lists/${name}/${i}`, reach);
        continue;
      }
      const expected =
        'expected a mailbox, a domain, an address, a network such as 203.0.113.0/24, AS64500, a country such as XK or a pattern such as pattern:promo.user#';
      issue(`/lists/${name}/${i}`, `${expected}, not "${shorten(entry)}"`, adviseEntry(entry));
    }
  }
}

function adviseEntry(entry: string): string | null {
  if (/^\*?\./.test(entry)) return 'a domain covers its subdomains; write it without *.';
  if (/^@/.test(entry)) return 'write the domain without @';
  const [, domain] = /^[^@]*\*[^@]*@([^@*]+)$/.exec(entry) ?? [];
  if (domain !== undefined)
    return `an entry has no wildcards: ${domain} covers all its mailboxes, and a pattern such as pattern:promo.user# some of them`;
  if (/^[a-z]{2}$/.test(entry)) return `did you mean the country "${entry.toUpperCase()}"?`;
  return adviseCidr(entry);
}

function checkAssertion(context: CheckContext): void {
  const { document, isValid, issue, warn } = context;
  checkUnique(context, '/assertion/keys', 'id');
  for (const [i, key] of itemsOf<CompleteDocument['assertion']['keys'][number]>(document.assertion?.keys)) {
    const place = `/assertion/keys/${i}`;
    if (!isValid(`${place}/secret`) || !isValid(`${place}/private_key`)) continue;
    if ((key.secret === null) === (key.private_key === null)) {
      issue(place, 'expected exactly one of secret and private_key');
    }
    if (key.private_key !== null && !/^-----BEGIN PRIVATE KEY-----\s/.test(key.private_key)) {
      issue(
        `${place}/private_key`,
        'expected a PKCS 8 private key in PEM, beginning with -----BEGIN PRIVATE KEY-----',
        'make one with: openssl genpkey -algorithm ed25519',
      );
    }
    if (key.secret !== null && Buffer.byteLength(key.secret) < MIN_HS256_BYTES) {
      warn(`${place}/secret`, `shorter than ${MIN_HS256_BYTES} bytes: weak for HS256 (RFC 7518 section 3.2)`);
    }
  }
}

function checkHashSecret({ document: { privacy }, isValid, warn }: CheckContext): void {
  if (!isValid('/privacy/hash_secret') || privacy.hash_secret === null) return;
  if (privacy.hash_secret.length >= MIN_HASH_SECRET) return;
  warn(
    '/privacy/hash_secret',
    `shorter than ${MIN_HASH_SECRET} characters: stored hashes can be guessed; openssl rand -base64 32 makes one, but existing records need this one`,
  );
}
