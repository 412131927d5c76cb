import type { RouteConfig } from '../../config/config.ts';
import type { RouteCandidate } from '../routes/match-routes.ts';
import type { BodyFields } from './body-fields.ts';
import { decodeLeniently, parseFieldPath } from './field-path.ts';

/** What is asked of a body before anything parses it. */
interface UnparsedBody {
  readonly contentTypes: readonly string[];
  readonly contentEncodings: readonly string[];
  readonly bytes: Buffer;
}

/** Names of form fields are shorter. */
const MAX_NAME_CHARACTERS = 200;

/**
 * Whether the body may hold what makes the request count as a signup, in any spelling. Most requests of other methods
 * at the path of a signup hold neither its email nor a `_method`, and whatever they are, they pass unread.
 */
export function mayCount(body: UnparsedBody, candidates: readonly RouteCandidate[]): boolean {
  if (candidates.some(({ bodyCondition }) => bodyCondition === 'none')) return true;
  const { bytes, contentTypes, contentEncodings } = body;
  if (bytes.length === 0) return false;
  if (contentEncodings.length > 0) return true;
  const text = decodeLeniently(bytes.toString('latin1').replace(/\\u00([0-9a-f]{2})/gi, '%$1'));
  // PHP reads `.method` as `_method`.
  if (/(?:^|[^a-z0-9])method/i.test(text) && isForm(contentTypes)) return true;
  return candidates.some(
    ({ bodyCondition, route }) =>
      bodyCondition === 'email field' &&
      route.email.some((email) => mayHoldField(text, parseFieldPath(email).at(-1) ?? '', contentTypes)),
  );
}

/** What the body of a candidate really holds. Throws where two parsers could read two things. */
export function counts(
  { bodyCondition, route }: RouteCandidate,
  fields: BodyFields,
  hasFields: boolean,
): boolean {
  if (bodyCondition === 'none') return true;
  if (!hasFields) return false;
  return namesMethod(fields, route) || (bodyCondition === 'email field' && holdsEmail(fields, route));
}

/** The `_method` of Rails, Laravel, Symfony and others. */
function namesMethod(fields: BodyFields, route: RouteConfig): boolean {
  const method = fields.find(['_method']);
  return typeof method === 'string' && (route.methods ?? ['POST']).includes(method.trim().toUpperCase());
}

function holdsEmail(fields: BodyFields, route: RouteConfig): boolean {
  return route.email.some((email) => {
    const value = fields.find(parseFieldPath(email));
    return value !== undefined && value !== null && value !== '';
  });
}

function mayHoldField(text: string, name: string, contentTypes: readonly string[]): boolean {
  const word = Buffer.from(name).toString('latin1').replace(/[^\w]/g, '\\$&');
  if (isForm(contentTypes)) return new RegExp(word, 'i').test(text);
  // Of what claims to be none of them only what readers take for JSON or a form that ask for no type.
  return (
    /^[\s\xef\xbb\xbf]*[{[]/.test(text)
      ? new RegExp(`"[^"]{0,${MAX_NAME_CHARACTERS}}${word}`, 'i')
      : new RegExp(`(?:^|[&;])[^&;=]{0,${MAX_NAME_CHARACTERS}}${word}[^&;=]{0,${MAX_NAME_CHARACTERS}}=`, 'i')
  ).test(text);
}

function isForm(contentTypes: readonly string[]): boolean {
  return (
    contentTypes.length === 0 || contentTypes.some((type) => /^\s*(?:[;,]|$)|form|json|multipart/i.test(type))
  );
}
