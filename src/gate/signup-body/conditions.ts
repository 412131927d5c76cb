import type { ConditionValue, RouteConfig } from '../../config/config.ts';
import { plainFieldName } from '../../http/request-head.ts';
import type { WorkBudget } from '../budgets.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import type { BodyFields } from './body-fields.ts';
import {
  compareName,
  decodeEscapes,
  type FieldPath,
  foldName,
  parseFieldPath,
  shorterReadings,
} from './field-path.ts';
import type { GraphqlRequest } from './graphql/graphql-request.ts';
import { mayOperate } from './graphql/may-operate.ts';
import { pairsInValues, splitAtEquals } from './urlencoded-fields.ts';

/** The parts of a request's head that conditions read. */
export interface HeadSources {
  readonly query: QueryPairs;
  /** The header fields as they arrived: name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly budget: WorkBudget;
}

/** The sources that the conditions of a route read. */
export interface ConditionSources extends HeadSources {
  readonly fields: BodyFields;
  /** Set when the route has a condition on a GraphQL operation. */
  readonly graphql?: GraphqlRequest | undefined;
}

/** Whether a candidate depends on the body's fields, a header or the query. */
export function isConditional({ bodyCondition, route }: RouteCandidate): boolean {
  return bodyCondition !== 'none' || Object.keys(route.when).length > 0;
}

/** Whether a request fulfils every condition under a route's `when`. */
export function fulfils(route: RouteConfig, sources: ConditionSources): boolean {
  return Object.entries(route.when).every(
    ([place, value]) =>
      holds(place, value, sources) ||
      (typeof value === 'object' && isNull(place, sources) && hasEmail(route, sources)) ||
      // Operations are also searched in the documents that run.
      (place === 'operationName' &&
        typeof value === 'string' &&
        sources.graphql !== undefined &&
        mayOperate(value, sources.graphql, route.email.map(parseFieldPath))),
  );
}

/** A null is there for apps that ask whether a name exists. Without an email it is an ordinary update, such as `email: null`. */
function isNull(place: string, { fields }: ConditionSources): boolean {
  return !isInHead(place) && fields.find(parseFieldPath(place)) === null;
}

function hasEmail({ email }: RouteConfig, { fields }: ConditionSources): boolean {
  return email.some((place) => typeof fields.find(parseFieldPath(place), 'address') === 'string');
}

/**
 * A field of the body counts in every place where an app may read it: in the body or, as with PHP's `$_REQUEST`, in the
 * query.
 */
export function holds(place: string, wanted: ConditionValue, sources: ConditionSources): boolean {
  const inHead = holdsInHead(place, wanted, sources);
  if (inHead !== 'ask body') return inHead === 'yes';
  const value = sources.fields.find(parseFieldPath(place));
  return value !== undefined && value !== null && isWanted(value, wanted, sources.budget);
}

const PLACE_IN_HEAD = /^(header|query):(.*)$/i;

/** Whether a condition names a header or a query parameter: then the body does not matter. */
export function isInHead(place: string): boolean {
  return PLACE_IN_HEAD.test(place);
}

/** The result of a condition by the head alone. */
export function holdsInHead(
  place: string,
  wanted: ConditionValue,
  sources: HeadSources,
): 'yes' | 'no' | 'ask body' {
  const [, where, name = ''] = PLACE_IN_HEAD.exec(place) ?? [];
  if (where?.toLowerCase() === 'header') return hasHeader(name, wanted, sources) ? 'yes' : 'no';
  const isInQuery = hasInQuery(parseFieldPath(where === undefined ? place : name), wanted, sources);
  if (isInQuery) return 'yes';
  return where === undefined ? 'ask body' : 'no';
}

function hasInQuery(path: FieldPath, wanted: ConditionValue, { query, budget }: HeadSources): boolean {
  return query.some(([key, text]) => {
    const match = compareName(key, path, budget);
    return (match === 'exact' || match === 'lookalike') && isWanted(text, wanted, budget);
  });
}

function hasHeader(name: string, wanted: ConditionValue, { rawHeaders, budget }: HeadSources): boolean {
  const plain = plainFieldName(name);
  budget.spend(rawHeaders.length * LOOK_COST);
  return rawHeaders.some(
    (value, i) =>
      i % 2 === 1 &&
      rawHeaders[i - 1]?.length === name.length &&
      plainFieldName(rawHeaders[i - 1] ?? '') === plain &&
      isWanted(value.trim(), wanted, budget),
  );
}

/** Neither a configured value nor a value that an app accepts as equal is longer. */
const MAX_VALUE_CHARACTERS = 1_000;
/** Measured for each character of a value that is compared, and of a value that is folded. */
const LOOK_COST = 3;
const FOLD_COST = 300;

/** Values that no known language (PHP, Rails, Go, YAML) reads as true. */
const FALSE = /^(?:|0+(?:\.0*)?|false|off|no?|f|null|nil|none)$/;

/**
 * As lenient as the most lenient app: `1`, `01`, `1.0` and `1abc` are one number, and every value that is not false is
 * true.
 */
export function isWanted(
  value: string | number | boolean,
  wanted: ConditionValue,
  budget: WorkBudget,
): boolean {
  if (typeof wanted === 'object') return true;
  if (typeof value !== 'string' && isLooselyEqual(value, wanted)) return true;
  const sent = String(value);
  budget.spend(sent.length * LOOK_COST);
  return [sent, ...shorterReadings(sent)].some((text) => isText(text, wanted, budget));
}

function isText(sent: string, wanted: string | number | boolean, budget: WorkBudget): boolean {
  const [shown = ''] = sent.split('\0', 1);
  const trimmed = shown.trim();
  if (trimmed.length > MAX_VALUE_CHARACTERS) return wanted === true;
  budget.spend(trimmed.length * FOLD_COST);
  const text = foldName(trimmed);
  if (typeof wanted === 'boolean') return FALSE.test(text) !== wanted;
  const folded = foldName(String(wanted));
  // CodeIgniter drops bytes that are not UTF-8.
  if (text === folded || foldName(trimmed.replace(/[^\0-\x7f]/g, '')) === folded) return true;
  if (MORE_READINGS.test(trimmed)) {
    budget.spend(trimmed.length * FOLD_COST);
    if (foldName(decodeEscapes(withoutSlashes(trimmed))) === folded) return true;
  }
  return typeof wanted === 'number' && isNumber(text, wanted);
}

/** Astro decodes the name of an action once more, and drops a slash behind it. WordPress drops all slashes behind a path. */
const MORE_READINGS = /%[0-9a-f]{2}|[/\\]$/i;

function withoutSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && /[/\\]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The comparison of a boolean or a number in JSON with a text in PHP: in version 7, `0` equals every text but a number. */
function isLooselyEqual(value: number | boolean, wanted: string | number | boolean): boolean {
  if (typeof value === 'boolean') return FALSE.test(foldName(String(wanted))) !== value;
  return typeof wanted === 'string' && (Number.parseFloat(wanted) || 0) === value;
}

/** Some parsers drop the text after a number, and the fraction; some allow underscores between digits. */
function isNumber(text: string, wanted: number): boolean {
  if (text === '') return false;
  const number = Number(text);
  if (!Number.isNaN(number)) return number === wanted || Math.trunc(number) === wanted;
  return Number.parseFloat(text) === wanted || Number.parseInt(text.replaceAll('_', ''), 10) === wanted;
}

/** The pairs of a target's query, decoded, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** A server may rewrite a path to a query without escapes: Apache makes `index.php?q=/signup&x=1` of `/signup%26x=1`. */
const REWRITTEN = /(?:&|%26)(.*)$/is;

/**
 * Some parsers split a query at semicolons too, and some (WSGI) read on after a `#`, which no browser sends. The pairs
 * that only they see count too, and those behind an ampersand in the path.
 */
export function readQuery(target: string): QueryPairs {
  const [path = '', ...queries] = target.split('?');
  const [, rewritten = ''] = REWRITTEN.exec(path) ?? [];
  if (queries.length === 0 && rewritten === '') return NO_PAIRS;
  const whole = queries.join('?');
  const texts = new Set([whole.replace(/#.*$/s, ''), whole, decodeEscapes(rewritten)]);
  for (const one of [...texts]) if (one.includes(';')) texts.add(one.replaceAll(';', '&'));
  if (LENIENT.test(whole)) texts.add(asLenientReaders(whole));
  const pairs = [...texts].flatMap((one) => [...new URLSearchParams(one)]);
  const others = pairs.map(([name, value]) => splitAtEquals(name, value)).filter((pair) => pair !== null);
  return others.length === 0 ? pairs : [...pairs, ...others];
}

const NO_PAIRS: QueryPairs = [];

const LENIENT = /%u[0-9a-f]{4}|=[^=&;]+=/i;

/** ASP.NET and cpp-httplib decode `%u0065`; cpp-httplib and readers in Lua find pairs behind other equals signs. */
function asLenientReaders(query: string): string {
  const text = query.replace(/(?:%u[0-9a-f]{4})+/gi, (escapes) => {
    const units = escapes.split(/%u/i).map((hex) => Number.parseInt(hex, 16));
    return encodeURIComponent(Buffer.from(String.fromCharCode(...units.slice(1))).toString());
  });
  return [text, ...pairsInValues(text)].join('&');
}

/** In some apps the query overrides the body (Flask's `values`), in others the body overrides the query. */
export function textsInQuery(
  path: FieldPath,
  { query, budget }: { query: QueryPairs; budget: WorkBudget },
): string[] {
  return query.flatMap(([name, text]) => (compareName(name, path, budget) === 'other' ? [] : [text]));
}
