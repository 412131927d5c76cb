import type { RouteConfig } from '../../config/config.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { ProblemError } from '../../http/problem.ts';
import type { RouteCandidate } from '../routes/match-routes.ts';
import type { WorkBudget } from '../work-budget.ts';
import { ambiguous, type BodyFields, formFields, jsonFields } from './body-fields.ts';
import { fulfils } from './conditions.ts';
import { parseContentType, type SignupMediaType } from './content-type.ts';
import { decodeContent } from './decode-content.ts';
import { compareName, type FieldPath, parseFieldPath } from './field-path.ts';
import type { GraphqlRequest } from './graphql/graphql-request.ts';
import { type GraphqlBody, readGraphqlRequests } from './graphql/read-requests.ts';
import { refuseOtherEmails } from './graphql/refuse-other-emails.ts';
import { isTextType, readTextRequests } from './graphql/text-bodies.ts';
import { counts, mayCount } from './may-count.ts';
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
  /** Whatever reads the request draws on it. */
  readonly budget: WorkBudget;
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
  if (!mayCount(request, candidates)) return null;
  const limitBytes = Math.max(...candidates.map(({ route }) => route.max_body));
  const query = readQuery(request.target);
  const isGraphql = candidates.every(({ route }) => 'operationName' in route.when);
  if (isGraphql && isTextType(request.contentTypes) && signsNobodyUp(request, candidates, query)) return null;
  const isBodyless = isGraphql && request.bytes.length === 0;
  const mediaType = isBodyless ? NO_BODY : parseContentType(request.contentTypes);
  const isPlain = request.contentEncodings.length === 0;
  const bytes = isPlain
    ? request.bytes
    : await decodeContent(request.bytes, request.contentEncodings, limitBytes);
  const body = isBodyless ? { fields: jsonFields({}) } : readBody(bytes, mediaType);
  const head = { query, rawHeaders: request.rawHeaders, budget: request.budget };
  for (const candidate of candidates) {
    const { route } = candidate;
    const [part, another] = partsFor(route, body, query).filter(
      ({ fields, graphql }) =>
        counts(candidate, fields, hasFields(route, body)) && fulfils(route, { ...head, fields, graphql }),
    );
    if (!part) continue;
    const { fields, graphql } = part;
    const paths = route.email.map(parseFieldPath);
    if (another) throw ambiguous(paths[0] ?? [], 'several signups stand in one request');
    if (graphql) refuseOtherEmails(graphql, paths, operationOf(route));
    let email: string | null = null;
    for (const path of paths) {
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

/** What a GET asks a GraphQL server for stands in its target, as if it were JSON. */
const NO_BODY: SignupMediaType = { kind: 'json' };

/** Whether a text is no signup although it says so by its type alone: the rest of the texts is refused by that. */
function signsNobodyUp(
  { bytes, contentEncodings, rawHeaders, budget }: BufferedRequest,
  candidates: readonly RouteCandidate[],
  query: QueryPairs,
): boolean {
  if (contentEncodings.length > 0) return false;
  const names = candidates.flatMap(({ route }) => operationOf(route) ?? []);
  const requests = readTextRequests(bytes, query, names);
  return (
    requests?.every((graphql) =>
      candidates.every(
        ({ route }) => !fulfils(route, { fields: graphql.fields, query, rawHeaders, budget, graphql }),
      ),
    ) ?? false
  );
}

type Body = GraphqlBody & { readonly fields: BodyFields };

function readBody(bytes: Buffer, mediaType: SignupMediaType): Body {
  if (bytes.length === 0) throw new ProblemError('invalid_request', 'The body is empty.');
  if (mediaType.kind === 'json') {
    const json = parseJsonBody(bytes);
    return { fields: jsonFields(json), json };
  }
  const all =
    mediaType.kind === 'urlencoded' ? parseUrlencoded(bytes) : parseMultipart(bytes, mediaType.boundary);
  const fields = formFields(all);
  return { fields, form: { fields, all } };
}

/** A list, or a bare text, has no fields, unless it is a list of operations. */
function hasFields({ when }: RouteConfig, { json }: Body): boolean {
  if (json === undefined || Object.keys(when).length > 0) return true;
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** More in one request are nobody's. */
const MAX_BATCH = 100;

/** One of the things that a request asks for. */
interface Part {
  readonly fields: BodyFields;
  readonly graphql?: GraphqlRequest;
}

/** What a route looks into: the body, or where it picks one operation among several, each of them. */
function partsFor({ when }: RouteConfig, body: Body, query: QueryPairs): readonly Part[] {
  if ('operationName' in when)
    return readGraphqlRequests(body, query).map((graphql) => ({ fields: graphql.fields, graphql }));
  const { fields, json } = body;
  if (Object.keys(when).length === 0 || !Array.isArray(json)) return [{ fields }];
  if (json.length > MAX_BATCH)
    throw new ProblemError('payload_too_large', `The request holds more than ${MAX_BATCH} operations.`);
  return json.map((one) => ({ fields: jsonFields(one) }));
}

function operationOf({ when: { operationName } }: RouteConfig): string | null {
  return operationName === undefined || typeof operationName === 'object' ? null : String(operationName);
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
