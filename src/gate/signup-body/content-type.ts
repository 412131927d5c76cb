import { ProblemError } from '../../http/problem.ts';

/** A media type that a signup can come in. */
export type SignupMediaType =
  | { readonly kind: 'json' }
  | { readonly kind: 'urlencoded' }
  | { readonly kind: 'multipart'; readonly boundary: string };

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(
  `^[ \\t]*(?:(${TOKEN})=(?:(${TOKEN}|[^\\s",;]+)|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*)?(?:;|$)`,
  's',
);
/** RFC 2046 section 5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/**
 * Reads the `Content-Type` of a signup strictly (RFC 9110 section 8.3): one field, one type, each parameter once,
 * UTF-8 or nothing as charset.
 *
 * @param values All values of the field, one for each line.
 * @throws {ProblemError} `unsupported_media_type`.
 */
export function parseContentType(values: readonly string[]): SignupMediaType {
  const [value, ...more] = values;
  if (value === undefined) throw unsupported('The request has no Content-Type.');
  if (more.length > 0) throw unsupported('The request has more than one Content-Type.');
  const type = new RegExp(`^(${TOKEN}/${TOKEN})[ \\t]*(?:;|$)`).exec(value);
  if (!type) throw unsupported('The Content-Type cannot be read.');
  const parameters = parseParameters(value.slice(type[0].length));
  const charset = parameters.get('charset');
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw unsupported('Only UTF-8 is accepted as charset.');
  const name = (type[1] ?? '').toLowerCase();
  if (name === 'application/json' || /^application\/[^/]+\+json$/.test(name)) return { kind: 'json' };
  if (name === 'application/x-www-form-urlencoded') return { kind: 'urlencoded' };
  if (name !== 'multipart/form-data') throw unsupported('A signup is sent as JSON or as a form.');
  const boundary = parameters.get('boundary');
  if (boundary === undefined || !BOUNDARY.test(boundary)) {
    throw unsupported('The multipart boundary is missing or not valid.');
  }
  return { kind: 'multipart', boundary };
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
      parameters.set(key, token ?? (quoted ?? '').replace(/\\(.)/gs, '$1'));
    }
    rest = rest.slice(all.length);
  }
  return parameters;
}

function unsupported(detail: string): ProblemError {
  return new ProblemError('unsupported_media_type', detail);
}
