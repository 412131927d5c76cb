import { isUtf8 } from 'node:buffer';
import { ProblemError } from '../../http/problem.ts';
import { type FormField, MAX_FORM_FIELDS } from './body-fields.ts';

/** A part's head: a disposition and a type. Browsers need under 1 KB, names of files included. */
const MAX_PART_HEAD_BYTES = 8_192;
const CRLF = '\r\n';

/**
 * Reads `multipart/form-data` (RFC 7578) where all parsers agree, and refuses the rest: text before the first boundary
 * or after the last, bare line feeds, boundaries that only resemble one, folded or unknown part headers, transfer
 * encodings, parameters that stand twice.
 *
 * @throws {ProblemError} `invalid_request`, or `payload_too_large` for too many parts.
 */
export function parseMultipart(bytes: Buffer, boundary: string): readonly FormField[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const fields: FormField[] = [];
  let at = 0;
  for (;;) {
    if (!bytes.subarray(at, at + delimiter.length).equals(delimiter)) throw invalid('a boundary is missing');
    const afterDelimiter = at + delimiter.length;
    const next = bytes.toString('latin1', afterDelimiter, afterDelimiter + 2);
    if (next === '--') {
      const rest = bytes.toString('latin1', afterDelimiter + 2, afterDelimiter + 5);
      if (rest !== '' && rest !== CRLF) throw invalid('something follows the last boundary');
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
  const isText = !isFile && isUtf8(content) && isUtf8Type(headers.get('content-type'));
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
    const [, name, value] = /^([A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || value === undefined || !PART_HEADERS.has(key)) {
      throw invalid('a part has a header that cannot be read or is not known in forms');
    }
    if (headers.has(key)) throw invalid(`a part has more than one ${key}`);
    headers.set(key, value);
  }
  return headers;
}

/** `form-data; name="…"; filename="…"` with each parameter once, in quotes or as a token (as .NET writes it). */
function parseDisposition(value: string): { name: string; isFile: boolean } {
  if (!value.startsWith('form-data;')) throw invalid('a part is no form-data');
  const parameters = new Map<string, string>();
  let rest = value.slice('form-data'.length);
  while (rest !== '') {
    const match = /^;[ \t]*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))[ \t]*/.exec(rest);
    const [all, key, quoted, token] = match ?? [];
    if (all === undefined || key === undefined || !['name', 'filename', 'filename*'].includes(key)) {
      throw invalid('the parameters of a part cannot be read');
    }
    if (parameters.has(key)) throw invalid(`a part has more than one ${key}`);
    parameters.set(key, quoted ?? token ?? '');
    rest = rest.slice(all.length);
  }
  const name = parameters.get('name');
  if (name === undefined) throw invalid('a part has no name');
  return { name, isFile: parameters.has('filename') || parameters.has('filename*') };
}

function isUtf8Type(contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  if (/^multipart\//i.test(contentType)) throw invalid('a part holds parts of its own');
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

function invalid(why: string): ProblemError {
  return new ProblemError('invalid_request', `The multipart form is not valid: ${why}.`);
}
