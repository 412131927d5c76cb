import type { RouteConfig } from '../../config/config.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { ProblemError } from '../../http/problem.ts';
import type { RouteCandidate } from '../routes/match-routes.ts';
import { ambiguous, type BodyFields, formFields, jsonFields } from './body-fields.ts';
import { parseContentType, type SignupMediaType } from './content-type.ts';
import { decodeContent } from './decode-content.ts';
import { compareName, foldName, parseFieldPath } from './field-path.ts';
import { parseMultipart } from './multipart-fields.ts';
import { parseUrlencoded } from './urlencoded-fields.ts';

/** A request whose head fits a route, with its body read whole. */
export interface BufferedRequest {
  /** The request target as it came. */
  readonly target: string;
  /** All values of each field, one for each line. */
  readonly contentTypes: readonly string[];
  readonly contentEncodings: readonly string[];
  readonly bytes: Buffer;
}

export interface Signup {
  readonly route: RouteConfig;
  readonly candidate: RouteCandidate;
  /** Without white space around it; null when there is none. */
  readonly email: string | null;
}

/**
 * Finds the first candidate whose conditions the body fulfils, and the email it carries. Null: this request signs nobody
 * up and is forwarded like any other.
 *
 * @throws {ProblemError} 400, 413 or 415 when two parsers could disagree about what the body says.
 */
export async function readSignup(
  request: BufferedRequest,
  candidates: readonly RouteCandidate[],
): Promise<Signup | null> {
  if (candidates.every((candidate) => candidate.needsMethodField) && !isForm(request)) return null;
  const limitBytes = Math.max(...candidates.map(({ route }) => route.max_body));
  const mediaType = parseContentType(request.contentTypes);
  const bytes = await decodeContent(request.bytes, request.contentEncodings, limitBytes);
  const fields = readFields(bytes, mediaType);
  const query = readQuery(request.target);
  for (const candidate of candidates) {
    const { route } = candidate;
    if (candidate.needsMethodField && !namesMethod(fields, route)) continue;
    if (Object.entries(route.when).every(([name, value]) => holds(name, value, { fields, query }))) {
      return { route, candidate, email: findEmail(route, fields, query) };
    }
  }
  return null;
}

function readFields(bytes: Buffer, mediaType: SignupMediaType): BodyFields {
  if (bytes.length === 0) throw new ProblemError('invalid_request', 'The body is empty.');
  if (mediaType.kind === 'json') return jsonFields(parseJsonBody(bytes));
  if (mediaType.kind === 'urlencoded') return formFields(parseUrlencoded(bytes));
  return formFields(parseMultipart(bytes, mediaType.boundary));
}

function isForm({ contentTypes }: BufferedRequest): boolean {
  return contentTypes.some((value) => /form/i.test(value));
}

/** The `_method` of Rails, Laravel, Symfony and others. */
function namesMethod(fields: BodyFields, route: RouteConfig): boolean {
  const method = fields.find(['_method']);
  return typeof method === 'string' && route.methods.includes(method.trim().toUpperCase());
}

interface Sources {
  readonly fields: BodyFields;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** A condition holds wherever an app may look for it: in the body or, as with PHP's `$_REQUEST`, in the query. */
function holds(name: string, wanted: string | number | boolean, { fields, query }: Sources): boolean {
  const path = parseFieldPath(name);
  const value = fields.find(path);
  if (value !== undefined && value !== null && sameValue(value, wanted)) return true;
  if (query.some(([key, text]) => compareName(key, path) !== 'other' && sameValue(text, wanted))) return true;
  return name === 'operationName' && typeof wanted === 'string' && mayOperate(wanted, fields);
}

function sameValue(value: string | number | boolean, wanted: string | number | boolean): boolean {
  return foldName(String(value)) === foldName(String(wanted));
}

/**
 * GraphQL runs what the document says; the operation's name is the sender's to choose or to leave out. So a document that
 * mentions the name counts, and one that names nothing and shows nothing (a stored query known by its hash) does too.
 */
function mayOperate(operation: string, fields: BodyFields): boolean {
  const document = fields.find(['query']);
  if (typeof document === 'string') return foldName(document).includes(foldName(operation));
  const name = fields.find(['operationName']);
  return typeof name !== 'string' || name === '';
}

/** Some apps let the query win over the body (Flask's `values`), some the body: they must not differ. */
function findEmail(route: RouteConfig, fields: BodyFields, query: Sources['query']): string | null {
  const path = parseFieldPath(route.email);
  const value = fields.find(path);
  if (value !== undefined && typeof value !== 'string') throw ambiguous(path, 'it is not a text');
  for (const [name, text] of query) {
    if (compareName(name, path) !== 'other' && text !== value)
      throw ambiguous(path, 'the query holds another one');
  }
  return value?.trim() || null;
}

function readQuery(target: string): Sources['query'] {
  const at = target.indexOf('?');
  return at === -1 ? [] : [...new URLSearchParams(target.slice(at + 1).replace(/#.*$/s, ''))];
}
