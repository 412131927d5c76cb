import type { RouteConfig } from '../../config/config.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { ProblemError } from '../../http/problem.ts';
import type { RouteCandidate } from '../routes/match-routes.ts';
import { ambiguous, type BodyFields, formFields, jsonFields } from './body-fields.ts';
import { fulfils } from './conditions.ts';
import { parseContentType, type SignupMediaType } from './content-type.ts';
import { decodeContent } from './decode-content.ts';
import { compareName, decodeLeniently, type FieldPath, parseFieldPath } from './field-path.ts';
import { refuseOtherEmails } from './graphql.ts';
import { parseMultipart } from './multipart-fields.ts';
import { refuseOtherForm, refuseReadableEncoding } from './other-readings.ts';
import { type QueryPairs, readQuery } from './request-query.ts';
import { parseUrlencoded } from './urlencoded-fields.ts';

/** A request whose head fits a route, with its body read whole. */
export interface BufferedRequest {
  /** The request target as it came. */
  readonly target: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
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
  if (candidates.every((candidate) => candidate.needsMethodField) && !mayNameMethod(request)) return null;
  const limitBytes = Math.max(...candidates.map(({ route }) => route.max_body));
  const mediaType = parseContentType(request.contentTypes);
  const isPlain = request.contentEncodings.length === 0;
  const bytes = isPlain
    ? request.bytes
    : await decodeContent(request.bytes, request.contentEncodings, limitBytes);
  const body = readBody(bytes, mediaType);
  const query = readQuery(request.target);
  for (const candidate of candidates) {
    const { route } = candidate;
    const [fields, another] = fieldsFor(route, body).filter(
      (fields) =>
        (!candidate.needsMethodField || namesMethod(fields, route)) &&
        fulfils(route, { fields, query, rawHeaders: request.rawHeaders }),
    );
    if (!fields) continue;
    const paths = route.email.map(parseFieldPath);
    if (another) throw ambiguous(paths[0] ?? [], 'several signups stand in one request');
    let email: string | null = null;
    for (const path of paths) {
      if ('operationName' in route.when) refuseOtherEmails({ fields, query }, path);
      const found = findEmail(path, fields, query);
      if (email !== null && found !== null && found !== email)
        throw ambiguous(path, 'another place holds another one');
      email ??= found;
    }
    for (const path of paths) {
      if (bytes !== request.bytes) refuseReadableEncoding(request.bytes, mediaType, path);
      if (mediaType.kind !== 'urlencoded') refuseOtherForm(bytes, path, email);
    }
    return { route, candidate, email };
  }
  return null;
}

interface Body {
  readonly fields: BodyFields;
  /** Undefined where it is a form. */
  readonly json: unknown;
}

function readBody(bytes: Buffer, mediaType: SignupMediaType): Body {
  if (bytes.length === 0) throw new ProblemError('invalid_request', 'The body is empty.');
  if (mediaType.kind === 'json') {
    const json = parseJsonBody(bytes);
    return { fields: jsonFields(json), json };
  }
  const fields = formFields(
    mediaType.kind === 'urlencoded' ? parseUrlencoded(bytes) : parseMultipart(bytes, mediaType.boundary),
  );
  return { fields, json: undefined };
}

/** More operations in one request are nobody's; each costs a look at its document. */
const MAX_BATCH = 100;

/** What a route looks into: the body, or where it picks one operation among several, each of them. */
function fieldsFor({ when }: RouteConfig, { fields, json }: Body): readonly BodyFields[] {
  if (Object.keys(when).length === 0) return [fields];
  let batch = json;
  if (json === undefined && 'operationName' in when) {
    // Uploads to GraphQL are forms with the operation in a field (GraphQL multipart request specification).
    const operations = fields.find(['operations']);
    if (typeof operations === 'string') batch = parseJsonBody(Buffer.from(operations));
  }
  if (batch === undefined) return [fields];
  if (!Array.isArray(batch)) return [jsonFields(batch)];
  if (batch.length > MAX_BATCH)
    throw new ProblemError('payload_too_large', `The request holds more than ${MAX_BATCH} operations.`);
  return batch.map(jsonFields);
}

/** Whether a form or JSON can hold a `_method`, in any spelling; PHP reads `.method` as one. */
function mayNameMethod({ bytes, contentEncodings }: BufferedRequest): boolean {
  const text = bytes.toString('latin1').replace(/\\u00([0-9a-f]{2})/gi, '%$1');
  return contentEncodings.length > 0 || /[^a-z0-9]method/i.test(decodeLeniently(` ${text}`));
}

/** The `_method` of Rails, Laravel, Symfony and others. */
function namesMethod(fields: BodyFields, route: RouteConfig): boolean {
  const method = fields.find(['_method']);
  return typeof method === 'string' && (route.methods ?? ['POST']).includes(method.trim().toUpperCase());
}

/** Some apps let the query win over the body (Flask's `values`), some the body: they must not differ. */
function findEmail(path: FieldPath, fields: BodyFields, query: QueryPairs): string | null {
  const value = fields.find(path);
  if (value !== undefined && typeof value !== 'string') throw ambiguous(path, 'it is not a text');
  // Ruby takes it for white space, C for the end.
  if (value?.includes('\0')) throw ambiguous(path, 'it holds a NUL');
  const email = value?.trim() || null;
  for (const [name, text] of query) {
    const other = text.trim();
    if (compareName(name, path) === 'other' || other === '') continue;
    if (other.toLowerCase() !== email?.toLowerCase()) throw ambiguous(path, 'the query holds another one');
  }
  return email;
}
