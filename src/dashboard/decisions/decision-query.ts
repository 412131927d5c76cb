import { parseDomainName } from '../../addresses/email-address.ts';
import { networkOf, parseCidr, parseIpAddress } from '../../addresses/ip-address.ts';
import { truncatedNetwork } from '../../assessment/identity.ts';
import { isReasonCode } from '../../assessment/reasons.ts';
import { timeOfReference } from '../../http/reference.ts';
import { isRequestId } from '../../http/request-id.ts';
import {
  ANY_DECISION,
  type DecisionFilter,
  OUTCOMES,
} from '../../storage/decisions/search/decision-filter.ts';

/** The filter in the URL of a page of decisions. */
export interface DecisionQuery {
  /** The valid fields in one spelling, from which links to similar pages are made. */
  readonly params: URLSearchParams;
  readonly filter: DecisionFilter;
  readonly cursor: string | null;
  /**
   * Errors about invalid fields, as sentences. With an error, the page shows no rows: without the invalid filter, it
   * would show too many.
   */
  readonly issues: readonly string[];
}

export const LEVELS = ['low', 'medium', 'high'] as const;
export const ACTIONS = ['forward', 'verify', 'block'] as const;
export const LABELS = ['fraud', 'legitimate'] as const;
/** Time spans that end now, in hours. */
export const SPANS: Readonly<Record<string, { readonly label: string; readonly hours: number }>> = {
  hour: { label: 'the last hour', hours: 1 },
  day: { label: 'the last 24 hours', hours: 24 },
  week: { label: 'the last 7 days', hours: 7 * 24 },
  month: { label: 'the last 30 days', hours: 30 * 24 },
};

const HOUR_MS = 3_600_000;
const MAX_TEXT = 300;
const MAX_VALUES = 100;
const PSEUDONYM = /^[\w-]{22}$/;
/** The pattern of a local part, or of a domain with its suffix. */
const STYLE = /^@?[a-z0-9._+-]{1,80}$/;

type Changes = { -readonly [Key in keyof DecisionFilter]?: DecisionFilter[Key] };
/** Adds one value to the filter. Returns its canonical spelling, or null for an invalid value. */
type Reader = (value: string, filter: Changes, now: number) => string | null;

const oneOf =
  <Value extends string>(values: readonly Value[], put: (filter: Changes, value: Value) => void): Reader =>
  (text, filter) => {
    const value = values.find((one) => one === text);
    if (value === undefined) return null;
    put(filter, value);
    return value;
  };
const pseudonym =
  (name: 'mailbox' | 'template' | 'userAgent'): Reader =>
  (text, filter) => {
    if (!PSEUDONYM.test(text)) return null;
    filter[name] = text;
    return text;
  };
const anyText =
  (put: (filter: Changes, text: string) => void): Reader =>
  (text, filter) => {
    put(filter, text);
    return text;
  };

/** Every field of the URL by name, with its label. */
export const FIELDS: Readonly<Record<string, { readonly label: string; readonly read: Reader }>> = {
  id: {
    label: 'Request id or reference',
    read(text, filter, now) {
      const id = text.toLowerCase();
      if (isRequestId(id)) {
        filter.requestId = id;
        return id;
      }
      const madeAt = timeOfReference(text, now);
      if (madeAt === null) return null;
      filter.madeAt = madeAt;
      return text.toUpperCase();
    },
  },
  within: {
    label: 'Time',
    read(text, filter, now) {
      const span = Object.hasOwn(SPANS, text) ? SPANS[text] : undefined;
      if (!span) return null;
      filter.from = now - span.hours * HOUR_MS;
      return text;
    },
  },
  from: { label: 'From (UTC)', read: time((filter, at) => (filter.from = at)) },
  to: { label: 'Until (UTC)', read: time((filter, at) => (filter.to = at)) },
  level: { label: 'Level', read: oneOf(LEVELS, (f, level) => (f.levels = [...(f.levels ?? []), level])) },
  wanted_action: {
    label: 'Wanted action',
    read: oneOf(ACTIONS, (f, action) => (f.wantedActions = [...(f.wantedActions ?? []), action])),
  },
  door: { label: 'Door', read: oneOf(['api', 'gate'], (f, door) => (f.doors = [...(f.doors ?? []), door])) },
  route: { label: 'Route', read: anyText((f, route) => (f.routes = [...(f.routes ?? []), route])) },
  key: { label: 'Key', read: anyText((f, key) => (f.keyIds = [...(f.keyIds ?? []), key])) },
  account: { label: 'Account', read: anyText((f, account) => (f.accountId = account)) },
  code: {
    label: 'Reason',
    read(text, filter) {
      if (!isReasonCode(text)) return null;
      filter.codes = [...(filter.codes ?? []), text];
      return text;
    },
  },
  domain: {
    label: 'Domain',
    read(text, filter) {
      const name = parseDomainName(text.replace(/^@/, ''));
      if (!name) return null;
      const domain = name.registrable ?? name.ascii;
      filter.domains = [...(filter.domains ?? []), domain];
      return domain;
    },
  },
  network: {
    label: 'Network',
    read(text, filter) {
      const ip = parseIpAddress(text);
      const cidr = ip ? null : parseCidr(text);
      const network = ip ? truncatedNetwork(ip) : cidr && networkText(cidr);
      if (network === null) return null;
      filter.network = network;
      return network;
    },
  },
  mailbox: { label: 'Mailbox', read: pseudonym('mailbox') },
  template: { label: 'Template', read: pseudonym('template') },
  browser: { label: 'Browser', read: pseudonym('userAgent') },
  style: {
    label: 'Style',
    read(text, filter) {
      if (!STYLE.test(text)) return null;
      filter.style = text;
      return text;
    },
  },
  outcome: { label: 'Outcome', read: oneOf([...OUTCOMES, 'any'], (f, outcome) => (f.outcome = outcome)) },
  label: { label: 'Label', read: oneOf([...LABELS, 'any'], (f, label) => (f.label = label)) },
  passed: { label: 'Let in', read: oneOf(['yes'], (f) => (f.passed = true)) },
  tests: { label: 'Test keys', read: oneOf(['yes'], (f) => (f.includesTests = true)) },
};

/**
 * @param options.accountId The account whose decisions the viewer may see; null: all accounts.
 * @param options.now Milliseconds since the epoch; the end of time spans.
 */
export function readDecisionQuery(
  query: URLSearchParams,
  { accountId, now }: { readonly accountId: string | null; readonly now: number },
): DecisionQuery {
  const params = new URLSearchParams();
  const changes: Changes = {};
  const issues: string[] = [];
  for (const [name, { label, read }] of Object.entries(FIELDS)) {
    const values = [...new Set(query.getAll(name).map((value) => value.trim()))].filter(Boolean);
    if (values.length > MAX_VALUES) issues.push(`${label}: use at most ${MAX_VALUES} values.`);
    for (const value of values.slice(0, MAX_VALUES)) {
      const spelled = value.length > MAX_TEXT ? null : read(value, changes, now);
      if (spelled === null) issues.push(`${label}: “${value.slice(0, 80)}” is not valid.`);
      else params.append(name, spelled);
    }
  }
  const filter = { ...ANY_DECISION, ...changes };
  return {
    params,
    filter: accountId === null ? filter : { ...filter, accountId },
    cursor: query.get('after') || null,
    issues,
  };
}

/** The URL of a page with these fields; a change to null removes a field. */
export function decisionsHref(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null>> = {},
  path = '/decisions',
): string {
  const changed = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  const query = changed.toString();
  return query === '' ? path : `${path}?${query}`;
}

function time(put: (filter: Changes, at: number) => void): Reader {
  return (text, filter) => {
    // A time as `datetime-local` sends it, or a complete ISO 8601 time; UTC.
    if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/.test(text)) return null;
    const at = Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text);
    if (Number.isNaN(at)) return null;
    put(filter, at);
    return text;
  };
}

/** Decisions store the /24 or /48, so a longer prefix is shortened. */
function networkText({ network, prefixLength }: NonNullable<ReturnType<typeof parseCidr>>): string | null {
  const kept = network.family === 4 ? 24 : 48;
  return prefixLength < kept ? null : `${networkOf(network, kept).text}/${kept}`;
}
