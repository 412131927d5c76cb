import { isAscii, isUtf8 } from 'node:buffer';
import { ProblemError } from '../../http/problem.ts';
import { MAX_NAME_CHARACTERS } from './body-fields.ts';

/** The head of a part, parsed. */
export interface PartHead {
  readonly name: string;
  /** Names for readers that ignore quotes, decode encoded words, or drop bytes that are not UTF-8. */
  readonly otherNames: readonly string[];
  readonly isFile: boolean;
  /** Every parser takes it as a file. Some take a part with an empty file name as a field. */
  readonly isNamedFile: boolean;
  /** `Content-Type` and `Content-Length` of the part as sent. */
  readonly type: string | undefined;
  readonly length: string | null;
}

const PART_HEADERS = new Set([
  'content-disposition',
  'content-type',
  'content-transfer-encoding',
  'content-length',
  // Fields of parts that a mail library made. Form parsers ignore them.
  'content-id',
  'mime-version',
]);

/** @throws {ProblemError} `invalid_request` for a head that two parsers could read differently. */
export function readPartHead(bytes: Buffer): PartHead {
  const isUnicode = isUtf8(bytes);
  // A page in Latin-1 sends file names in Latin-1.
  const headers = parsePartHead(bytes.toString(isUnicode ? 'utf8' : 'latin1'));
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw invalidForm('a part has no Content-Disposition');
  const { name, isFile, isNamedFile, otherNames } = parseDisposition(disposition);
  const encoding = headers.get('content-transfer-encoding');
  if (encoding !== undefined && !/^(?:7bit|8bit|binary)$/i.test(encoding))
    throw invalidForm('a part is transfer-encoded');
  const type = headers.get('content-type');
  // Mojolicious searches the whole field: `text/plain; x=multipart; boundary=Y`.
  if (type !== undefined && /multipart/i.test(type)) throw invalidForm('a part contains parts');
  const asAscii = isUnicode ? [] : [name.replace(/[^\0-\x7f]/g, '')];
  return {
    name,
    otherNames: [...otherNames, ...asAscii, ...namesInOthers(headers)],
    isFile,
    isNamedFile,
    type,
    length: headers.get('content-length') ?? null,
  };
}

/** Charsets that agree on ASCII: Apache's HttpClient labels every text as ISO-8859-1. */
const ASCII_CHARSET = /^(?:us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d)$/i;

/** Any charset that a reader may find in the type of a part. */
const CHARSET = /charset([*\d]*)\s*=\s*["']?([^\s"';,]*)/gi;

/** Null when the text is not UTF-8, or is labelled with another charset. */
export function readPartText({ type = '' }: PartHead, content: Buffer): string | null {
  if (!isUtf8(content)) return null;
  const isRead = [...type.matchAll(CHARSET)].every(
    ([, extended, charset = '']) =>
      extended === '' && (/^utf-?8$/i.test(charset) || (ASCII_CHARSET.test(charset) && isAscii(content))),
  );
  return isRead ? content.toString('utf8') : null;
}

function parsePartHead(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!PART_HEADERS.has(key) || /[\r\n\0]/.test(line)) {
      throw invalidForm('a part has a header that is invalid or unknown in forms');
    }
    if (headers.has(key)) throw invalidForm(`a part has more than one ${key}`);
    headers.set(key, line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * In quotes, as a token (as .NET writes it), or for `filename*` as in RFC 8187 (`utf-8''…`, as .NET and React Native
 * write it). Other single quotes are refused, because PHP accepts them as quotes.
 */
const PARAMETER =
  /^;[ \t]*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|((?<=\*=)[\w-]+'[\w-]*'[^\s";,\\]+|[^\s"';,\\]+))[ \t]*/;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const QUOTE = /["';\\]/;
const NAME_PARAMETER = /name\*?[ \t]*=/gi;
/** Each name inside a value is compared with the field of the email. A real value holds none or one. */
const MAX_OTHER_NAMES = 8;

/** `form-data; name="…"; filename="…"` with each parameter once. */
function parseDisposition(value: string): Pick<PartHead, 'name' | 'otherNames' | 'isFile' | 'isNamedFile'> {
  if (!value.startsWith('form-data;')) throw invalidForm('a part is not form-data');
  const parameters = new Map<string, string>();
  let rest = value.slice('form-data'.length);
  while (rest !== '') {
    const match = PARAMETER.exec(rest);
    const [all, key, quoted, token] = match ?? [];
    if (all === undefined || key === undefined || !['name', 'filename', 'filename*'].includes(key)) {
      throw invalidForm('the parameters of a part cannot be read');
    }
    // Rack, Go and Python read a value without quotes up to the first character that no token has.
    if (key === 'name' && token !== undefined && !TOKEN.test(token))
      throw invalidForm('the name of a part needs quotes');
    if (parameters.has(key)) throw invalidForm(`a part has more than one ${key}`);
    parameters.set(key, quoted ?? token ?? '');
    rest = rest.slice(all.length);
  }
  const name = parameters.get('name');
  if (name === undefined) throw invalidForm('a part has no name');
  if (name.length > MAX_NAME_CHARACTERS) throw invalidForm('the name of a part is too long');
  if (name.includes('\\"')) throw invalidForm('the name of a part holds a quote');
  const isFile = parameters.has('filename') || parameters.has('filename*');
  const isNamedFile = /[a-z0-9]/i.test(parameters.get('filename') ?? '');
  const otherNames = [...lenientNames(name), ...nameInFront(parameters)];
  const starts = nameStarts(value);
  if (starts.length === parameters.size) return { name, otherNames, isFile, isNamedFile };
  // A parser that ignores quoted text, or escapes in it, would find names inside this value.
  if ((!isFile && hasNameBehindQuote(name)) || starts.length > parameters.size + MAX_OTHER_NAMES)
    throw invalidForm('the parameters of a part contain another name');
  const inValues = starts.map((start) => nameAt(value, start));
  return { name, otherNames: [...otherNames, ...inValues], isFile, isNamedFile };
}

/**
 * haserl takes the name of a part from its type, and WSAPI (Lua) from a disposition inside any field. A mail library
 * writes the name of a file into the type.
 */
function namesInOthers(headers: ReadonlyMap<string, string>): readonly string[] {
  return [...headers].flatMap(([key, value]) => {
    if (key === 'content-disposition') return NO_NAMES;
    const starts = nameStarts(value);
    if (starts.length > MAX_OTHER_NAMES) throw invalidForm(`the ${key} of a part contains names`);
    return starts.map((start) => nameAt(value, start));
  });
}

/**
 * The name for Netty (Vert.x), which makes spaces of separators and trims: `:email` is `email`. Null when it is the same,
 * and when separators inside it stay apart.
 */
export function trimmedName(name: string): string | null {
  const trimmed = name.replace(/[:,;=]/g, ' ').trim();
  return trimmed !== name && name.includes(trimmed) ? trimmed : null;
}

/** Where the values of all parameters begin that a careless reader takes for a name. */
function nameStarts(value: string): readonly number[] {
  return [...value.matchAll(NAME_PARAMETER)].map(({ index, 0: { length } }) => index + length);
}

/** In two steps: one pattern for both would take quadratic time for a name of quotes. */
function hasNameBehindQuote(name: string): boolean {
  const quote = name.search(QUOTE);
  return quote !== -1 && name.slice(quote).search(NAME_PARAMETER) !== -1;
}

/** The name that a parser finds after an equals sign. Another one may begin inside it: `filename=" name=email"`. */
function nameAt(value: string, start: number): string {
  const [, text = ''] = /^[ \t]*\\?["']?([^"';\\]*)/.exec(value.slice(start)) ?? [];
  return text.trim();
}

/** RFC 2047 section 2, in the form in which .NET writes a name outside ASCII. */
const ENCODED_NAME = /^=\?utf-8\?b\?([a-z0-9+/]+={0,2})\?=$/i;
const NO_NAMES: readonly string[] = [];

/**
 * Other readings of a name: h3 splits it at semicolons and equals signs; Tomcat and ASP.NET Core decode encoded words.
 * @throws {ProblemError} `invalid_request` for encoded words that no client writes: they may hide a name in ASCII.
 */
function lenientNames(name: string): readonly string[] {
  if (name.includes('=?')) {
    const [, text] = ENCODED_NAME.exec(name) ?? [];
    const bytes = Buffer.from(text ?? '', 'base64');
    if (isAscii(bytes)) throw invalidForm('the name of a part is encoded');
    return [bytes.toString('utf8')];
  }
  const [start = ''] = name.split(/[;=]/, 1);
  return start === name ? NO_NAMES : [start];
}

/** milliparsec and parse-multipart-data take the first parameter for the name: `filename="email"; name="x"`. */
function nameInFront(parameters: ReadonlyMap<string, string>): readonly string[] {
  const [[key, value] = ['name', '']] = parameters;
  return key === 'name' ? NO_NAMES : value.split(/[;=]/, 1);
}

export function invalidForm(why: string): ProblemError {
  return new ProblemError('invalid_request', `The multipart form is not valid: ${why}.`);
}
