import { ProblemError } from '../../http/problem.ts';
import { mayHideWords } from './hidden-words.ts';

/** A media type of a signup body. */
export type SignupMediaType =
  | { readonly kind: 'json' }
  /** The charset is a label that `TextDecoder` knows. */
  | { readonly kind: 'urlencoded'; readonly charset: string }
  | {
      readonly kind: 'multipart';
      readonly boundary: string;
      /** The boundary was in quotes. */
      readonly isQuoted?: boolean;
      readonly charset: string;
    };

export const UTF8 = 'utf-8';
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})[ \\t]*(?:;|$)`);
/** A value without quotes must be a token: a reader of tokens (Werkzeug) would stop at any other character. */
const PARAMETER = new RegExp(
  `^[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*)?(?:;|$)`,
  's',
);
/**
 * RFC 2046 section 5.1.1 without comma and space, where Rack stops reading. The star is added: no standard allows it,
 * but many Android apps send it (`*****`). With one hyphen, each boundary begins a document for readers of YAML.
 */
const BOUNDARY = /^(?!-$)[0-9A-Za-z'()+_./:=?*-]{1,70}$/;
/** One byte for one character, with ASCII unchanged: every reader sees the same names and separators. */
const SINGLE_BYTE_CHARSET = /^(?:us-ascii|ascii|latin1|iso[-_]?8859-\d{1,2}|(?:windows-|cp)125\d)$/;
/**
 * Charsets of East Asia, as `TextDecoder` calls them: a character outside ASCII begins with a byte outside ASCII, and no
 * byte of it is a separator of forms. Missing on purpose: ISO-2022-JP, whose escapes hide ASCII.
 */
const MULTI_BYTE_CHARSETS = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gbk', 'gb18030', 'big5']);
/**
 * Readers that search the whole field (formidable, Rack) would find another kind of body. In the same way, Mojolicious
 * takes the first `charset=`, even inside a boundary.
 */
const OTHER_KIND = {
  json: /urlencoded|multipart|octet-stream|boundary/i,
  urlencoded: /json|graphql|multipart|octet-stream|boundary/i,
  multipart: /urlencoded|octet-stream|boundary=.*boundary=/i,
} as const;

/**
 * Reads the `Content-Type` of a signup strictly (RFC 9110 section 8.3): one field, one type, each parameter once. The
 * charset must be UTF-8 or missing; a form may have a single-byte charset, an urlencoded one also a charset of East Asia.
 * @param values All values of the field, one for each line.
 * @throws {ProblemError} `unsupported_media_type`.
 */
export function parseContentType(values: readonly string[]): SignupMediaType {
  const [value] = values;
  if (value === undefined) throw unsupported('The request has no Content-Type.');
  if (values.length > 1) throw unsupported('The request has more than one Content-Type.');
  const known = remembered.get(value);
  if (known) return known;
  const mediaType = parseValue(value);
  // A boundary is new each time.
  const isUsual = mediaType.kind !== 'multipart' && value.length <= MAX_REMEMBERED_CHARACTERS;
  if (isUsual && remembered.size < MAX_REMEMBERED) remembered.set(value, mediaType);
  return mediaType;
}

/** Nearly all requests send one of a few values. */
const remembered = new Map<string, SignupMediaType>();
const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_CHARACTERS = 100;

function parseValue(value: string): SignupMediaType {
  const type = MEDIA_TYPE.exec(value);
  if (!type) throw unsupported('The Content-Type cannot be read.');
  const name = (type[1] ?? '').toLowerCase();
  const parameters = parseParameters(value.slice(type[0].length));
  const kind = kindOf(name);
  const charset = readCharset(parameters.get('charset') ?? UTF8);
  if (charset !== UTF8 && kind === 'json') throw unsupported('JSON is accepted only in UTF-8.');
  // A reader that decodes the whole body first may take a quote in the head of a part for the end of a character.
  if (kind === 'multipart' && isMultiByte(charset)) throw unsupported(OTHER_CHARSET);
  if ((value.match(/charset/gi)?.length ?? 0) > (parameters.has('charset') ? 1 : 0))
    throw unsupported('The Content-Type can be read with more than one charset.');
  if (OTHER_KIND[kind].test(value.replace(/^application\/x-www-form-urlencoded/i, '')))
    throw unsupported('The Content-Type can be read as more than one type.');
  if (kind === 'urlencoded') return { kind, charset };
  if (kind === 'json') return { kind };
  // PHP reads the text after the first `boundary` anywhere in the field: no other parameter may hold the word.
  if ([...parameters.keys()].some((key) => key !== 'boundary' && key !== 'charset'))
    throw unsupported('A parameter of the Content-Type is not known in forms.');
  const boundary = parameters.get('boundary');
  // Jetty searches the name in lower case, as every known client writes it, and without it splits at any two hyphens.
  if (boundary === undefined || !BOUNDARY.test(boundary) || !value.includes('boundary=')) {
    throw unsupported('The multipart boundary is missing or not valid.');
  }
  return { kind, boundary, charset, ...(value.includes(`"${boundary}"`) && { isQuoted: true }) };
}

/**
 * @returns A label that `TextDecoder` knows.
 * @throws {ProblemError} `unsupported_media_type` for a charset that may hide ASCII, such as UTF-7 and UTF-16.
 */
export function readCharset(label: string): string {
  const charset = label.toLowerCase();
  if (/^utf-?8$/.test(charset)) return UTF8;
  const encoding = encodingOf(charset);
  if (encoding !== null && (SINGLE_BYTE_CHARSET.test(charset) || isMultiByte(encoding))) return encoding;
  throw unsupported(OTHER_CHARSET);
}

const OTHER_CHARSET = 'The charset is not accepted: send UTF-8.';

/** @param charset A label of `readCharset`. */
export function isMultiByte(charset: string): boolean {
  return MULTI_BYTE_CHARSETS.has(charset);
}

/** Null for a label that `TextDecoder` does not know. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function kindOf(name: string): SignupMediaType['kind'] {
  if (name === 'application/json' || /^application\/[^/]+\+json$/.test(name)) return 'json';
  if (name === 'application/x-www-form-urlencoded') return 'urlencoded';
  if (name === 'multipart/form-data') return 'multipart';
  throw unsupported('A signup is sent as JSON or as a form.');
}

/** Parameters of a field value, names in lower case. */
function parseParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  let rest = text;
  while (rest.trim() !== '') {
    const match = PARAMETER.exec(rest);
    if (!match) throw unsupported('The parameters of the Content-Type cannot be read.');
    const [all, name, token, quoted] = match;
    if (name !== undefined) {
      const key = name.toLowerCase().replace(/\*\d*\*?$/, '');
      if (parameters.has(key) || key !== name.toLowerCase()) {
        throw unsupported(`The parameter "${key}" of the Content-Type can be read in more than one way.`);
      }
      if (quoted?.includes('\\')) throw unsupported('The Content-Type holds a backslash.');
      parameters.set(key, token ?? quoted ?? '');
    }
    rest = rest.slice(all.length);
  }
  return parameters;
}

function unsupported(detail: string): ProblemError {
  return new ProblemError('unsupported_media_type', detail);
}

/**
 * Whether a body may have fields by its Content-Type alone: it names a form or JSON, or a charset in which a search
 * finds no names.
 */
export function mayHaveFields(contentTypes: readonly string[]): boolean {
  return isFormOrJson(contentTypes) || contentTypes.some(mayHideWords);
}

/**
 * Whether a Content-Type names a form or JSON. No Content-Type counts too, because Rack reads such a body as a form, and
 * so does every multipart type.
 */
export function isFormOrJson(contentTypes: readonly string[]): boolean {
  return (
    contentTypes.length === 0 || contentTypes.some((type) => /^\s*(?:[;,]|$)|form|json|multipart/i.test(type))
  );
}
