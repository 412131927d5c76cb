import { isAscii, isUtf8 } from 'node:buffer';
import { ProblemError } from '../../http/problem.ts';
import { type FormField, MAX_FORM_FIELDS, MAX_NAME_CHARACTERS } from './body-fields.ts';

/** A part's head: a disposition and a type. Browsers need under 1 KB, names of files included. */
const MAX_PART_HEAD_BYTES = 8_192;
/** Line ends, of clients that write one too many. */
const MAX_EPILOGUE_BYTES = 8;
const CRLF = '\r\n';

/**
 * Reads `multipart/form-data` (RFC 7578) where all parsers agree, and refuses the rest: text before the first boundary
 * or after the last (line ends are none), bare line feeds, boundaries that only resemble one, folded or unknown part
 * headers, transfer encodings, parameters that stand twice.
 *
 * @throws {ProblemError} `invalid_request`, or `payload_too_large` for too many parts.
 */
export function parseMultipart(bytes: Buffer, boundary: string): readonly FormField[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const fields: FormField[] = [];
  // Unity starts with the line end that belongs to the boundary (RFC 2046 section 5.1.1).
  let at = bytes.toString('latin1', 0, 2) === CRLF ? 2 : 0;
  for (;;) {
    if (!bytes.subarray(at, at + delimiter.length).equals(delimiter)) throw invalid('a boundary is missing');
    const afterDelimiter = at + delimiter.length;
    const next = bytes.toString('latin1', afterDelimiter, afterDelimiter + 2);
    if (next === '--') {
      const rest = bytes.toString('latin1', afterDelimiter + 2, afterDelimiter + 2 + MAX_EPILOGUE_BYTES + 1);
      if (rest.length > MAX_EPILOGUE_BYTES || !/^(?:\r\n)*$/.test(rest))
        throw invalid('something follows the last boundary');
      return fields;
    }
    if (next !== CRLF) throw invalid('something follows a boundary on its line');
    if (fields.length === MAX_FORM_FIELDS) {
      throw new ProblemError('payload_too_large', `The form has more than ${MAX_FORM_FIELDS} fields.`);
    }
    const start = afterDelimiter + 2;
    // Any occurrence ends the part, so that a boundary behind a bare line feed cannot pass for content.
    const end = bytes.indexOf(delimiter, start);
    if (end === -1) throw invalid('the last boundary is missing');
    if (bytes.toString('latin1', end - 2, end) !== CRLF || end - 2 < start)
      throw invalid('a boundary does not start its line');
    fields.push(parsePart(bytes.subarray(start, end - 2)));
    at = end;
  }
}

function parsePart(part: Buffer): FormField {
  const headEnd = part.indexOf('\r\n\r\n');
  if (headEnd === -1 || headEnd > MAX_PART_HEAD_BYTES)
    throw invalid('a part has no head, or one that is too long');
  const content = part.subarray(headEnd + 4);
  const head = part.subarray(0, headEnd);
  if (!isUtf8(head)) throw invalid('the head of a part is not UTF-8');
  const headers = parsePartHead(head.toString('utf8'));
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw invalid('a part has no Content-Disposition');
  const { name, isFile } = parseDisposition(disposition);
  const encoding = headers.get('content-transfer-encoding');
  if (encoding !== undefined && !/^(?:7bit|8bit|binary)$/i.test(encoding))
    throw invalid('a part is transfer-encoded');
  const length = headers.get('content-length');
  if (length !== undefined && length !== String(content.length))
    throw invalid('the length of a part is wrong');
  const isText = !isFile && isUtf8(content) && isReadAsUtf8(content, headers.get('content-type'));
  return { name, value: isText ? content.toString('utf8') : null };
}

const PART_HEADERS = new Set([
  'content-disposition',
  'content-type',
  'content-transfer-encoding',
  'content-length',
]);

function parsePartHead(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split(CRLF)) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!PART_HEADERS.has(key) || /[\r\n\0]/.test(line)) {
      throw invalid('a part has a header that cannot be read or is not known in forms');
    }
    if (headers.has(key)) throw invalid(`a part has more than one ${key}`);
    headers.set(key, line.slice(colon + 1).trim());
  }
  return headers;
}

/** `form-data; name="…"; filename="…"` with each parameter once, in quotes or as a token (as .NET writes it); PHP takes single quotes for quotes. */
function parseDisposition(value: string): { name: string; isFile: boolean } {
  if (!value.startsWith('form-data;')) throw invalid('a part is no form-data');
  const parameters = new Map<string, string>();
  let rest = value.slice('form-data'.length);
  while (rest !== '') {
    const match = /^;[ \t]*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s"';,\\]+))[ \t]*/.exec(rest);
    const [all, key, quoted, token] = match ?? [];
    if (all === undefined || key === undefined || !['name', 'filename', 'filename*'].includes(key)) {
      throw invalid('the parameters of a part cannot be read');
    }
    if (parameters.has(key)) throw invalid(`a part has more than one ${key}`);
    parameters.set(key, quoted ?? token ?? '');
    rest = rest.slice(all.length);
  }
  // Who does not know escapes in quoted text, or does not know quoted text, finds names in what is one value here.
  const mentions = value.match(/name\*?[ \t]*=/gi)?.length ?? 0;
  if (mentions !== parameters.size) throw invalid('the parameters of a part hold a name of their own');
  const name = parameters.get('name');
  if (name === undefined) throw invalid('a part has no name');
  if (name.length > MAX_NAME_CHARACTERS) throw invalid('the name of a part is too long');
  if (name.includes('\\"')) throw invalid('the name of a part holds a quote');
  return { name, isFile: parameters.has('filename') || parameters.has('filename*') };
}

/** Charsets that agree on ASCII: Apache's HttpClient marks every text as ISO-8859-1. */
const ASCII_CHARSET = /^(?:us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d)$/i;

function isReadAsUtf8(content: Buffer, contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  if (/^multipart\//i.test(contentType)) throw invalid('a part holds parts of its own');
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return true;
  return ASCII_CHARSET.test(charset) && isAscii(content);
}

function invalid(why: string): ProblemError {
  return new ProblemError('invalid_request', `The multipart form is not valid: ${why}.`);
}
