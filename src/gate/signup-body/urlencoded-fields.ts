import { isUtf8 } from 'node:buffer';
import { ProblemError } from '../../http/problem.ts';
import { type FormField, MAX_FORM_FIELDS, MAX_NAME_CHARACTERS } from './body-fields.ts';

/**
 * Reads `application/x-www-form-urlencoded` where all parsers agree: UTF-8, every escape valid, at most 1,000 fields.
 *
 * @throws {ProblemError} `invalid_request`, `payload_too_large` for too many fields, `unsupported_media_type` for JSON.
 */
export function parseUrlencoded(bytes: Buffer): readonly FormField[] {
  if (!isUtf8(bytes)) throw invalid('The form is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (text.startsWith('\ufeff')) throw invalid('The form starts with a byte order mark.');
  // Many an app reads JSON whatever the type says; forms that browsers and libraries write have no such characters.
  if (/^\s*[{[]/.test(text)) {
    throw new ProblemError(
      'unsupported_media_type',
      'The body looks like JSON, but its Content-Type says that it is a form.',
    );
  }
  const fields = parsePairs(text.split('&', MAX_FORM_FIELDS + 1));
  // Older parsers also split at semicolons. What they would see in addition is shown as fields that stand twice.
  if (!text.includes(';')) return fields;
  const seen = new Set(fields.map(({ name, value }) => `${name}=${value}`));
  const others = parsePairs(text.split(/[&;]/, MAX_FORM_FIELDS + 1)).filter(
    ({ name, value }) => !seen.has(`${name}=${value}`),
  );
  return [...fields, ...others];
}

function parsePairs(pairs: readonly string[]): FormField[] {
  if (pairs.length > MAX_FORM_FIELDS) {
    throw new ProblemError('payload_too_large', `The form has more than ${MAX_FORM_FIELDS} fields.`);
  }
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      if (name.length > MAX_NAME_CHARACTERS) throw invalid('The name of a field is too long.');
      return { name: decode(name), value: decode(value) };
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw invalid('The form holds an escape that is not valid, or not UTF-8.', cause);
  }
}

function invalid(detail: string, cause?: unknown): ProblemError {
  return new ProblemError('invalid_request', detail, { cause });
}
