import { isAscii, isUtf8 } from 'node:buffer';
import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import { type FormField, MAX_FORM_FIELDS, MAX_NAME_CHARACTERS } from './body-fields.ts';
import { isMultiByte, readCharset, UTF8 } from './content-type.ts';
import { isPlainAscii } from './field-path.ts';

/** Measured: a character that is checked, decoded and split, and a field. */
const CHARACTER_COST = 4;
const FIELD_COST = 500;

/**
 * Reads `application/x-www-form-urlencoded` that all parsers read alike: UTF-8 or the labelled charset, only valid
 * escapes, at most 1,000 fields.
 * @throws {ProblemError} `invalid_request`, `payload_too_large` for too many fields, `unsupported_media_type` for JSON.
 */
export function parseUrlencoded(bytes: Buffer, charset: string, budget: WorkBudget): readonly FormField[] {
  budget.spend(bytes.length * CHARACTER_COST);
  if (charset === UTF8 && !isUtf8(bytes)) throw invalid('The form is not valid UTF-8.');
  // Browsers escape such bytes. Decoded before the form is split, a raw byte may take a separator with it.
  if (isMultiByte(charset) && !isAscii(bytes))
    throw invalid('In this charset, all bytes outside ASCII must be escaped.');
  const text = withSpaces(bytes).toString(charset === UTF8 ? 'utf8' : 'latin1');
  if (text.startsWith('\ufeff')) throw invalid('The form starts with a byte order mark.');
  // Many apps read JSON or XML under any type, and some readers of JSON (Ruby's) skip comments. Forms from browsers
  // and libraries never begin with these characters.
  if (/^\s*(?:[{[<]|\/[*/]|\)\]\})/.test(text)) {
    throw new ProblemError(
      'unsupported_media_type',
      'The body looks like JSON or XML, but its Content-Type says that it is a form.',
    );
  }
  if (MIXED_CASE_ESCAPE.test(text)) throw invalid('The form holds an escape in mixed case.');
  const decode = decoderOf(charset);
  const pairs = parsePairs(text.split('&', MAX_FORM_FIELDS + 1), decode, budget);
  const named = QUERY_START.test(text) ? [...pairs, ...withoutQueryStart(pairs)] : pairs;
  const fields = charset === UTF8 ? named : [...named, ...fieldsInUtf8(text, pairs, charset)];
  return [...fields, ...lenientFields(text, fields, (pieces) => parsePairs(pieces, decode, budget))];
}

/**
 * The fields that only some parsers see, to be added as duplicates. Older parsers also split at semicolons, SWI-Prolog at
 * NULs too, and Free Pascal looks for the equals sign in the decoded pair (`email%3Da@b.example`).
 */
function lenientFields(
  text: string,
  fields: readonly FormField[],
  parse: (pairs: readonly string[]) => readonly FormField[],
): FormField[] {
  const isSplit = text.includes(';') || text.includes('\0');
  const pieces = isSplit ? text.split(/[&;\0]/, MAX_FORM_FIELDS + 1) : [];
  const others = [...parse(pieces), ...parse(pairsInValues(text))];
  const all = [...others, ...splitInNames([...fields, ...others])];
  if (all.length === 0) return [];
  const keyOf = ({ name, value }: FormField) => `${name.length}:${name}${value}`;
  const seen = new Set(fields.map(keyOf));
  return all.filter((field) => !seen.has(keyOf(field))).map((field) => ({ ...field, isLenient: true }));
}

/** Longer text before an equals sign is a value in base64 with its padding. */
const PAIR_IN_VALUE = new RegExp(`(?<==)([^=&;]{1,${MAX_NAME_CHARACTERS}})=(?=([^=&;]*))`, 'g');

/** The pairs that follow another equals sign: cpp-httplib and readers in Lua find an email in `x=1=email=…`. */
export function pairsInValues(text: string): readonly string[] {
  const pairs: string[] = [];
  for (const [, name = '', value = ''] of text.matchAll(PAIR_IN_VALUE)) {
    pairs.push(`${name}=${value}`);
    if (pairs.length > MAX_FORM_FIELDS) break;
  }
  return pairs;
}

function splitInNames(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((field) => {
    const [name, value] = splitAtEquals(field.name, field.value ?? '') ?? [];
    return name === undefined || value === undefined ? [] : [{ ...field, name, value }];
  });
}

/** Splits a pair at the first equals sign in its decoded name. Null when the name has none. */
export function splitAtEquals(name: string, value: string): readonly [name: string, value: string] | null {
  const equals = name.indexOf('=');
  if (equals === -1) return null;
  return [name.slice(0, equals), name.slice(equals + 1) + (value === '' ? '' : `=${value}`)];
}

/** HTTP::Body of Perl (Catalyst) drops it: `e%cC%aAmail` is `email`. No client writes such an escape. */
const MIXED_CASE_ESCAPE = /%(?:[a-f][A-F]|[A-F][a-f])/;

const CHARSET_FIELD = /(?:^|&)_charset_=([\w:.-]*)(?=&|$)/gi;

/**
 * The charset that a form names in a field: browsers fill in `_charset_`, and never name a charset in the type of such a
 * form.
 * @throws {ProblemError} `unsupported_media_type` for a charset that may hide ASCII.
 */
export function charsetInForm(bytes: Buffer, budget: WorkBudget): string {
  if (!bytes.includes('_')) return UTF8;
  budget.spend(bytes.length);
  const named = bytes.toString('latin1').matchAll(CHARSET_FIELD);
  const labels = new Set([...named].map(([, label = '']) => label.toLowerCase()));
  labels.delete('');
  return [...labels].map(readCharset).find((charset) => charset !== UTF8) ?? UTF8;
}

function parsePairs(
  pairs: readonly string[],
  decode: (text: string) => string,
  budget: WorkBudget,
): FormField[] {
  if (pairs.length > MAX_FORM_FIELDS) {
    throw new ProblemError('payload_too_large', `The form has more than ${MAX_FORM_FIELDS} fields.`);
  }
  budget.spend(pairs.length * FIELD_COST);
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      if (name.length > MAX_NAME_CHARACTERS) throw invalid('The name of a field is too long.');
      return { name: decode(name), value: decode(value) };
    });
}

/** `URLSearchParams` drops a question mark at the start of a form; query-string also drops white space and `#`. */
const QUERY_START = /^\s*[?#]/;

/** The first field also counts without the start of a query. */
function withoutQueryStart([first]: readonly FormField[]): FormField[] {
  return first ? [{ ...first, name: first.name.replace(QUERY_START, '') }] : [];
}

/**
 * The fields for an app that ignores the charset: with their names in UTF-8 and, where a character may hide an ASCII
 * letter of the value, with the value that is left without the bytes that are not UTF-8.
 */
function fieldsInUtf8(text: string, fields: readonly FormField[], charset: string): FormField[] {
  const pairs = text.split('&').filter((pair) => pair !== '');
  return fields.flatMap((field, i) => {
    const [name = '', value = ''] = (pairs[i] ?? '').split('=', 2);
    const others: FormField[] = [];
    if (!isPlainAscii(field.name)) {
      const inUtf8 = unescapeBytes(name).toString('utf8');
      for (const other of new Set([inUtf8, inUtf8.replaceAll('\ufffd', '')]))
        others.push({ ...field, name: other });
    }
    if (isMultiByte(charset) && /%[89a-f]/i.test(value))
      others.push({ ...field, value: unescapeBytes(value).toString('utf8').replaceAll('\ufffd', '') });
    return others;
  });
}

/** A plus is a space. Replaced byte by byte, because replacing a million in a text takes 100 ms. */
function withSpaces(bytes: Buffer): Buffer {
  const first = bytes.indexOf('+');
  if (first === -1) return bytes;
  const spaced = Buffer.from(bytes);
  for (let i = first; i < spaced.length; i++) if (spaced[i] === 0x2b) spaced[i] = 0x20;
  return spaced;
}

function decoderOf(charset: string): (text: string) => string {
  if (charset === UTF8) {
    return (text) => {
      try {
        return decodeURIComponent(text);
      } catch (cause) {
        throw invalid('The form holds an escape that is not valid, or not UTF-8.', cause);
      }
    };
  }
  const decoder = new TextDecoder(charset);
  return (text) => {
    if (/%(?![0-9a-f]{2})/i.test(text)) throw invalid('The form holds an escape that is not valid.');
    return decoder.decode(unescapeBytes(text));
  };
}

/** @param text Latin-1 with valid escapes only. */
function unescapeBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const isEscape = bytes[i] === 0x25;
    bytes[length++] = isEscape ? hexDigit(bytes[i + 1]) * 16 + hexDigit(bytes[i + 2]) : (bytes[i] ?? 0);
    if (isEscape) i += 2;
  }
  return bytes.subarray(0, length);
}

function hexDigit(code = 0x30): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

function invalid(detail: string, cause?: unknown): ProblemError {
  return new ProblemError('invalid_request', detail, { cause });
}
