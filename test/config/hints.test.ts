import { readFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { ConfigError, type ConfigIssue } from '../../src/config/config-error.ts';
import { formatYaml } from '../../src/config/format-yaml.ts';
import { loadConfig } from '../../src/config/load.ts';
import { parseYaml } from '../../src/config/parse-yaml.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { knownNames } from './known-names.ts';

type Step = string | number;
type Place = readonly Step[];

const TEXT = readFileSync(new URL('./testdata/good/everything.yaml', import.meta.url), 'utf8');
const fresh = (): unknown => parseYaml(TEXT).value;
const places = [...placesOf(fresh(), [])];

test('advice of a hint, followed to the letter, is never refused at the same place', (t) => {
  let followed = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.constantFrom(...MISTAKES),
      fc.nat(20),
      (place, mistake, seed) => {
        const document = fresh();
        if (!mistake(document, place, seed)) return;
        for (const issue of issuesOf(document)) {
          const known = pathsOf(document);
          const corrected = structuredClone(document);
          if (issue.hint === null || !follow(issue, corrected)) continue;
          followed++;
          const left = issuesOf(corrected);
          const again = left
            .filter(({ path }) => path === issue.path || !known.has(path))
            .filter((next) => isAvoidable(next) && !isAboutRenamed(issue, next));
          if (again.length > 0)
            throw new Error(
              `${issue.path}: ${issue.message}; ${issue.hint} leads to ${JSON.stringify(again)}`,
            );
        }
      },
    ),
    { seed: 20261122, numRuns: IS_FULL_PROOF ? 1_000 : 100 },
  );
  t.true(followed > 20, `only ${followed} hints were followed`);
});

/** The address that the mistake left over may be that of the gate. */
function isAvoidable({ message }: ConfigIssue): boolean {
  return !message.startsWith('the same as proxy.listen');
}

/** "Did you mean" speaks of a key alone: its value may be wrong under the right key too, and gets its own message. */
function isAboutRenamed({ message, hint }: ConfigIssue, next: ConfigIssue): boolean {
  return message === 'unknown key' && /^did you mean/.test(hint ?? '') && next.message !== 'unknown key';
}

function pathsOf(document: unknown): ReadonlySet<string> {
  return new Set(issuesOf(document).map(({ path }) => path));
}

function issuesOf(document: unknown): readonly ConfigIssue[] {
  try {
    loadConfig({ file: 'x.yaml', text: formatYaml(document), env: { FROM_ENV: 'x' }, knownNames });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
}

type Mistake = (document: unknown, place: Place, seed: number) => boolean;

/** What people do to one place of a valid file. Each returns whether it applies there. */
const MISTAKES: readonly Mistake[] = [
  // A typing error in a key.
  (document, place, seed) => {
    const key = place.at(-1);
    if (typeof key !== 'string') return false;
    const at = seed % key.length;
    const typed = [
      key.slice(0, at) + key.slice(at + 1),
      `${key.slice(0, at)}x${key.slice(at)}`,
      key.toUpperCase(),
    ];
    return rename(document, place, typed[seed % 3] ?? key);
  },
  // A key that moved up, to its parent's mapping or to the top.
  (document, place) => {
    const key = place.at(-1);
    if (typeof key !== 'string' || place.length < 2) return false;
    return insert(document, place.slice(0, -2), key, remove(document, place));
  },
  // One item instead of a list, one value instead of a mapping.
  (document, place, seed) =>
    change(document, place, (value) => {
      if (typeof value !== 'object' || value === null) return undefined;
      const members = Object.values(value);
      return members[seed % Math.max(1, members.length)];
    }),
  // Quotes where none belong, and none where they do.
  (document, place) =>
    change(document, place, (value) => {
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      return typeof value === 'string' && /^\d+/.test(value) ? Number.parseInt(value, 10) : undefined;
    }),
  (document, place, seed) =>
    change(document, place, (value) =>
      typeof value === 'boolean' ? ['yes', 'on', 'no', 'off'][seed % 4] : undefined,
    ),
  // A typing error in a value, a lost scheme or slash, a unit in words.
  (document, place, seed) =>
    change(document, place, (value) => {
      if (typeof value !== 'string' || value.length < 2) return undefined;
      const forms = [
        value.slice(0, -1),
        `${value.slice(0, 1)}${value}`,
        value.replace(/^\w+:\/\//, ''),
        value.replace(/^\//, ''),
        value.replace(/(\d+)(ms|[smhd])$/, '$1 $2'),
        value.replace(/(\d+)d$/, '$1 days'),
        value.replace(/(\d+)([kmg])b$/i, '$1$2'),
        `http://${value}`,
        `${value}/path?query`,
      ];
      const form = forms[seed % forms.length];
      return form === value ? undefined : form;
    }),
];

/** Does what a hint says. False for a hint without a text to write. */
function follow(issue: ConfigIssue, document: unknown): boolean {
  const { path, hint } = issue;
  const place = stepsOf(path);
  const key = String(place.at(-1));
  const said = hint ?? '';
  const [, meant] = /^did you mean "(.*)"\?$/.exec(said) ?? [];
  const [, written] = /^write ([[{].*[\]}]|true|false|[\d.]+:\d+)/.exec(said) ?? [];
  const [, text] = /(?:such as|https:\/\/:|user:|unit:) (\S+?)(?:,|$)/.exec(said) ?? [];
  const [, under] = /^write it under "(.*)"$/.exec(said) ?? [];
  const [, section, as = key] = /^it belongs under `(.*):`(?: as "(.*)")?$/.exec(said) ?? [];
  const [, list] = /^it belongs to each item of `(.*):`$/.exec(said) ?? [];
  const value = at(document, place);
  if (meant !== undefined && isAboutKey(issue, place)) return rename(document, place, meant);
  if (meant !== undefined) return set(document, place, meant);
  if (written !== undefined) return set(document, place, parseYaml(`a: ${written}`).value, 'a');
  if (text !== undefined) return set(document, place, text);
  if (under !== undefined) return set(document, place, { [under]: value });
  if (said.startsWith('remove')) return remove(document, place) !== undefined;
  if (said === 'put quotes around it') return set(document, place, String(value));
  if (said === 'leave the quotes out') return set(document, place, parseYaml(`a: ${value}`).value, 'a');
  if (said.startsWith('begin the item')) return set(document, place, [value]);
  if (section !== undefined) return insert(document, stepsOf(section), as, remove(document, place));
  if (list !== undefined) return insert(document, [...stepsOf(list), 0], key, remove(document, place));
  return false;
}

/** Reasons under `scoring.points` are keys too. */
function isAboutKey({ message }: ConfigIssue, place: Place): boolean {
  return (
    message === 'unknown key' ||
    (message.startsWith('there is no reason') && typeof place.at(-1) === 'string')
  );
}

function* placesOf(value: unknown, place: Place): Generator<Place> {
  if (place.length > 0) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value))
    yield* placesOf(member, [...place, Array.isArray(value) ? Number(key) : key]);
}

function stepsOf(path: string): Step[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

function at(document: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (value, step) => (value as Record<Step, unknown> | undefined)?.[step],
    document,
  );
}

function holder(document: unknown, place: Place): Record<Step, unknown> | null {
  const parent = at(document, place.slice(0, -1));
  return typeof parent === 'object' && parent !== null ? (parent as Record<Step, unknown>) : null;
}

function set(document: unknown, place: Place, value: unknown, member?: string): boolean {
  const parent = holder(document, place);
  const key = place.at(-1);
  if (!parent || key === undefined) return false;
  parent[key] = member === undefined ? value : (value as Record<string, unknown>)[member];
  return true;
}

function change(document: unknown, place: Place, to: (value: unknown) => unknown): boolean {
  const value = to(at(document, place));
  return value !== undefined && set(document, place, value);
}

function remove(document: unknown, place: Place): unknown {
  const parent = holder(document, place);
  const key = place.at(-1);
  if (!parent || key === undefined || Array.isArray(parent)) return undefined;
  const value = parent[key];
  delete parent[key];
  return value;
}

function insert(document: unknown, place: Place, key: Step, value: unknown): boolean {
  const parent = at(document, place);
  if (typeof parent !== 'object' || parent === null || value === undefined || key in parent) return false;
  (parent as Record<Step, unknown>)[key] = value;
  return true;
}

function rename(document: unknown, place: Place, to: string): boolean {
  const parent = holder(document, place);
  const from = place.at(-1);
  if (!parent || typeof from !== 'string' || to in parent) return false;
  const entries = Object.entries(parent).map(([key, value]) => [key === from ? to : key, value] as const);
  for (const key of Object.keys(parent)) delete parent[key];
  Object.assign(parent, Object.fromEntries(entries));
  return true;
}

test('an address with its scheme twice is advised with one', (t) => {
  const document = { proxy: { upstream: 'http://http://127.0.0.1:3000', routes: [{ path: '/signup' }] } };
  const [issue] = issuesOf(document).filter(({ path }) => path === 'proxy.upstream');
  t.is(issue?.hint, 'write the scheme once: http://127.0.0.1:3000');
});
