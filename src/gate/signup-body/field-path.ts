import type { WorkBudget } from '../budgets.ts';
import { withoutDroppedText } from './dropped-text.ts';
import { foldUnicode } from './fold-unicode.ts';
import { foldedLetters, hasFoldedLetters } from './respelled-name.ts';
import { isIndex, isPlainForm, phpName, sameSegments, splitName, startsWithSegments } from './split-name.ts';

/** The place of a field in a body: `user.email`, `user[email]` and `user{email}` are all `['user', 'email']`. */
export type FieldPath = readonly string[];

/** How a field's name relates to a path, see `compareName`. */
export type NameMatch = 'exact' | 'lookalike' | 'deeper' | 'flat' | 'respelled' | 'other';

/** Measured for each character of names that are split, and of names that are folded first. */
const SPLIT_COST = 400;
const FOLD_COST = 300;
/** A shorter name costs as much to fold. */
const LEAST_FOLDED = 4;
/** The cost of a name of usual length that the first check excludes. */
const LOOK_COST = 50;
const USUAL_CHARACTERS = 64;
/** For each further character of a word, and of a name with other signs, which has several readings. */
const CHARACTER_COST = 4;
const READING_COST = 15;
/** For the second reading of a name with a quoted key. */
const QUOTED_COST = 600;

/** Keyed by text; the configuration has only a few. */
const parsed = new Map<string, FieldPath>();
const MAX_PARSED = 1_000;

/** @param text As configured; the configuration has validated it. */
export function parseFieldPath(text: string): FieldPath {
  const known = parsed.get(text);
  if (known) return known;
  const path = splitName(text);
  if (parsed.size < MAX_PARSED) parsed.set(text, path);
  return path;
}

/** React numbers the forms of a server action: `1_email`, in newer versions `_1_email`. */
const NUMBER = /^_?\d+_/;
/** The sender chooses the number, and React reads it as a text. */
export const SENT_NUMBER = /^_?([0-9a-f]+)_/;

/** The number of a path's form, such as `1_`; empty when the path is in no numbered form. */
export function numberOf([first = '']: FieldPath): string {
  return NUMBER.exec(first)?.[0] ?? '';
}

/** A path prepared for comparison, once for each. */
interface WantedName {
  readonly segments: readonly string[];
  /** The number of the form, `1_`; null when the field is in no numbered form. */
  readonly number: string | null;
  readonly php: string;
  /** A run of letters and digits of the last segment. */
  readonly run: string;
  readonly joined: string;
}

const wantedNames = new WeakMap<FieldPath, WantedName>();

function wantedOf(path: FieldPath): WantedName {
  const known = wantedNames.get(path);
  if (known) return known;
  const segments = path.map(foldName);
  const [run = ''] = segments.at(-1)?.match(/[a-z0-9]+/g) ?? [];
  const [number = null] = NUMBER.exec(path[0] ?? '') ?? [];
  const wanted = { segments, number, php: phpName(segments.join('.')), run, joined: path.join('') };
  wantedNames.set(path, wanted);
  return wanted;
}

/**
 * How a field's name relates to a path.
 * - `exact`: the name in the configuration.
 * - `lookalike`: another spelling that some parser accepts as this name (case, brackets, dots, PHP's underscores), or a
 * name that some parser turns into a list or an object. Two apps would read different values.
 * - `deeper`: the path inside one more object (`model.Email`, `user[email]` for `email`), where the binders of ASP.NET,
 * Spring and Rails look first.
 * - `flat`: the end of the path alone (`email` for `user.email`): gin fills the structs inside a struct from such names.
 * - `respelled`: the same words, written in another way (`emailAddress` for `email_address`), see `isRespelled`.
 * @throws {ProblemError} `invalid_request` when the budget is used up.
 */
export function compareName(sent: string, path: FieldPath, budget: WorkBudget): NameMatch {
  const further = Math.max(0, sent.length - USUAL_CHARACTERS);
  budget.spend(LOOK_COST + sent.length + further * CHARACTER_COST);
  const { number } = wantedOf(path);
  const name = number === null ? sent : sent.replace(SENT_NUMBER, number);
  if (/^[\w-]*$/.test(name)) return compareWord(name, path);
  budget.spend(further * READING_COST);
  const readings = readingsOf(name, budget).filter((reading) => mayHold(reading, path));
  if (readings.length === 0) return respelledOrOther(name, path, budget);
  budget.spend(name.length * SPLIT_COST);
  if (sameSegments(splitName(name), path) && isPlainForm(name, path)) return 'exact';
  if (readings.some((reading) => sameAs(reading, path))) return 'lookalike';
  if (readings.some((reading) => isDeeper(reading, path))) return 'deeper';
  return readings.some((reading) => isFlat(reading, path)) ? 'flat' : respelledOrOther(name, path, budget);
}

function respelledOrOther(name: string, path: FieldPath, budget: WorkBudget): 'respelled' | 'other' {
  const { joined, number } = wantedOf(path);
  if (!hasNumber(name, number) || !isRespelled(name, joined)) return 'other';
  budget.spend(name.length * SPLIT_COST);
  const segments = path.length === 1 ? [name] : splitName(name);
  if (segments.length !== path.length) return 'other';
  return path.every((wanted, i) => isRespelled(segments[i] ?? '', wanted)) ? 'respelled' : 'other';
}

/** React reads the number of a form with its underscore: `1email` is in no form. */
function hasNumber(name: string, number: string | null): boolean {
  return number === null || name.startsWith(number);
}

/** Nearly every name is one word with one reading. */
function compareWord(name: string, path: FieldPath): NameMatch {
  const [first = ''] = path;
  if (path.length === 1 && name === first) return 'exact';
  const folded = (name.startsWith('__') ? name.replace(UNREAD_START, '') : name).toLowerCase();
  const { segments, php, number } = wantedOf(path);
  const isSame = (path.length === 1 && folded === segments[0]) || folded === php;
  if (isSame) return 'lookalike';
  if (path.length === 1) return hasNumber(name, number) && isRespelled(name, first) ? 'respelled' : 'other';
  return folded === segments.at(-1) ? 'flat' : 'other';
}

/** A first check of a folded name: every parser keeps a run of letters and digits together. */
function mayHold(folded: string, path: FieldPath): boolean {
  return folded.includes(wantedOf(path).run);
}

/** Struts and Spring accept quotes around a key (`user['email']`), and Struts also parentheses (`user('email')`). */
const QUOTED_KEY = /[[(]['"]/;

function readingsOf(name: string, budget: WorkBudget): readonly string[] {
  if (!QUOTED_KEY.test(name)) return unescapedReadings(name, budget);
  budget.spend(QUOTED_COST);
  const bare = name.replace(/[[(]['"]/g, '[').replace(/['"][\])]/g, ']');
  return [name, bare].flatMap((one) => unescapedReadings(one, budget));
}

/** A multipart name may have escaped quotes (`\"`, `%22`): both readings count. */
function unescapedReadings(name: string, budget: WorkBudget): readonly string[] {
  const isEscaped = /[\\%]/.test(name);
  const shorter = shorterReadings(name);
  if (shorter.length === 0 && !isEscaped && isPlainAscii(name)) return [name.toLowerCase()];
  budget.spend(Math.max(name.length, LEAST_FOLDED) * FOLD_COST);
  const unescaped = isEscaped ? [name.replace(/\\(.)/gs, '$1'), decodeEscapes(name)] : [];
  return [...new Set([name, ...shorter, ...unescaped])].map(foldName);
}

/**
 * Spring binds `!email` when there is no `email`; aiohttp drops slashes and backslashes at the start of a multipart name;
 * Superforms puts `__superform_file_email` into its JSON as `email`; some parsers drop the names of prototypes.
 */
const UNREAD_START = /^(?:!|[\\/]+|__superform_files?_|(?:__proto__|constructor\[prototype\])(?=\[))/;

function sameAs(folded: string, path: FieldPath): boolean {
  const wanted = wantedOf(path);
  const segments = splitName(folded.replace(UNREAD_START, ''));
  const unindexed = segments.filter((segment) => !isIndex(segment));
  return (
    startsWithSegments(segments, wanted.segments) ||
    sameSegments(unindexed, wanted.segments) ||
    phpName(folded) === wanted.php
  );
}

/** A list (`friends[0].email`) is not an object, so no binder reads it as the object to fill. */
function isDeeper(folded: string, path: FieldPath): boolean {
  const [, second = '', ...rest] = splitName(folded);
  return !isIndex(second) && startsWithSegments([second, ...rest], wantedOf(path).segments);
}

/** Without the numbers of a list, whose readers drop them (`email[0]`). */
function isFlat(folded: string, path: FieldPath): boolean {
  const segments = splitName(folded).filter((segment) => !isIndex(segment));
  const isShorter = segments.length > 0 && segments.length < path.length;
  return isShorter && sameSegments(segments, wantedOf(path).segments.slice(-segments.length));
}

/**
 * Names that some parser cannot tell apart fold to the same text. The cost is linear in the length: normalised text
 * holds at most 30 marks in a row.
 */
export function foldName(name: string): string {
  // Nearly every name is plain ASCII, and a body can hold thousands of names.
  if (isPlainAscii(name)) return name.toLowerCase();
  return foldUnicode(name);
}

/** One character each, and each folds only by its case. */
export function isPlainAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** Keyed by the segment of a configured place; the configuration has only a few. */
const known = new Map<string, string>();

/**
 * Whether some app gives a member the configured name, in place of one that has it. camelcase-keys, humps and lodash put
 * `_email` into `email` and `email_address` into `emailAddress`; with an alias, Pydantic prefers `emailAddress` to
 * `email_address`.
 *
 * @param wanted A segment of a configured place.
 */
export function isRespelled(name: string, wanted: string): boolean {
  const letters = configuredLetters(wanted);
  return letters !== '' && hasLetters(name, letters);
}

function configuredLetters(wanted: string): string {
  const found = known.get(wanted);
  if (found !== undefined) return found;
  const letters = foldedLetters(wanted);
  if (known.size < MAX_PARSED) known.set(wanted, letters);
  return letters;
}

/** Nearly every name ends the loop with its first letter. */
function hasLetters(name: string, letters: string): boolean {
  let matched = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0x7e) return hasFoldedLetters(name, letters);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (!isLetter && (code < 0x30 || code > 0x39)) continue;
    if ((isLetter ? code | 0x20 : code) !== letters.charCodeAt(matched)) return false;
    matched += 1;
  }
  return matched === letters.length;
}

/** Text that some reader drops from names. Nearly every name has none of it. */
const DROPPED_TEXT = /\0|%00|\\u0000|:[a-z_]+$/;
const NO_READINGS: readonly string[] = [];

/** Other readings of a name, without the text that some readers drop. */
export function shorterReadings(name: string): readonly string[] {
  return DROPPED_TEXT.test(name) ? withoutDroppedText(name) : NO_READINGS;
}

/** Decodes valid escapes and keeps all other text. */
export function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
