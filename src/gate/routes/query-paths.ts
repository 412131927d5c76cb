import type { WorkBudget } from '../budgets.ts';
import { decodeAsUtf8 } from './path-variants.ts';

/** The parameters of front controllers, as PHP spells them. WordPress has its routes below `/wp-json` too. */
const ROUTING_PARAMETERS = new Set([
  ...['_route_', '_url', 'pagename', 'q', 'r', 'rest_route', 'route', 's', 'url'],
]);
const REST_FOLDER = '/wp-json';

/** The method overrides of Rails and others, of Plack, and of Google's APIs and ServiceStack. */
const METHOD_PARAMETERS = new Set([
  ...['_method', 'method', 'x-tunneled-method', 'x-http-method-override', '$httpmethod', '_httpmethod'],
]);

/** A pair costs this many characters, and each character this many units of the budget. */
const COST_PER_PAIR = 200;
const COST_PER_CHARACTER = 24;

/** The paths that a front controller in one of these folders may read from its query, decoded once. */
export function pathsInQuery(query: string, folders: Iterable<string>, budget: WorkBudget): Set<string> {
  const bases = new Set(['/', ...folders]);
  const paths = new Set<string>();
  const add = (value: string, below = '') => {
    for (const base of bases) {
      budget.spend(COST_PER_PAIR + base.length + value.length);
      paths.add(`${base}${below}${value.replace(/^[/\\]/, '')}`);
    }
  };
  budget.spend(query.length);
  // CodeIgniter and handwritten front controllers read the query up to the first parameter as the path.
  if (/^(?:[/\\]|%(?:25)*(?:2f|5c))/i.test(query)) add(decode(query.replace(/&.*$/s, '')));
  for (const { name, value } of pairsOf(query, budget)) {
    if (!ROUTING_PARAMETERS.has(name)) continue;
    add(value.trimStart());
    if (name === 'rest_route') add(value.trimStart(), `${REST_FOLDER.slice(1)}/`);
  }
  return paths;
}

const NO_PATHS: ReadonlySet<string> = new Set();

/**
 * The paths that a front controller may read from a path that a server rewrites to a query: Apache makes
 * `/shop/index.php?q=x&q=/signup` of `/shop/x&q=/signup`, and PHP reads the last value.
 * @param path A folded variant.
 */
export function pathsInRewritten(path: string, budget: WorkBudget): ReadonlySet<string> {
  const at = path.indexOf('&');
  if (at === -1) return NO_PATHS;
  const folders = [...path.slice(0, at).matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
  budget.spend(path.length * folders.length);
  return pathsInQuery(path.slice(at + 1), folders, budget);
}

/** The part of a query that the near test must read, because the query can name a path. */
export function nearQuery(query: string): string {
  return `${query.replaceAll('+', ' ')}/${REST_FOLDER}`;
}

const HOLDS_METHOD = /(?:m|%[46]d)(?:e|%[46]5)(?:t|%[57]4)(?:h|%[46]8)(?:o|%[46]f)(?:d|%[46]4)/i;

/** A quick test that excludes nearly every query. */
export function mayNameMethod(query: string): boolean {
  return query !== '' && HOLDS_METHOD.test(query);
}

/** The methods that a query names: `_method=PUT`. */
export function methodsInQuery(query: string, budget: WorkBudget): ReadonlySet<string> {
  const methods = new Set<string>();
  if (!mayNameMethod(query)) return methods;
  for (const { name, value } of pairsOf(query, budget)) {
    if (METHOD_PARAMETERS.has(name)) methods.add(value.trim().toUpperCase());
  }
  return methods;
}

interface Pair {
  /** The name as PHP spells it, in lower case. */
  readonly name: string;
  readonly value: string;
}

/** Some parsers split a query at semicolons too; for some, a number sign ends it. */
function* pairsOf(query: string, budget: WorkBudget): Generator<Pair> {
  for (const pair of query.split(/[&;#?]/)) {
    budget.spend(COST_PER_PAIR);
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    budget.spend(pair.length * COST_PER_CHARACTER);
    yield { name: phpName(decode(pair.slice(0, equals))), value: decode(pair.slice(equals + 1)) };
  }
}

/** PHP drops leading white space, and replaces dots, spaces and an unclosed bracket with underscores. */
function phpName(name: string): string {
  const [plain = ''] = name.trimStart().toLowerCase().split('\0', 1);
  return plain
    .replace(/\[\d*\]$/, '')
    .trimEnd()
    .replace(/[. [\]]/g, '_');
}

function decode(text: string): string {
  return decodeAsUtf8(text.replaceAll('+', ' '));
}
