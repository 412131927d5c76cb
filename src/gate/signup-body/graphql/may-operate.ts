import { createHash } from 'node:crypto';
import type { RouteConfig } from '../../../config/config.ts';
import { ProblemError } from '../../../http/problem.ts';
import type { BodyFields } from '../body-fields.ts';
import { type FieldPath, foldName } from '../field-path.ts';
import { type GraphqlDocument, isDocument, mayName } from './document.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/**
 * Whether a request may run an operation. A GraphQL server runs the operations of the document, and the sender may
 * choose or omit the operation's name. So a document counts when it contains the name of the operation, as its own name
 * or as a field. When an email is at one of the places, every document that may contain the name counts, since a server
 * may have its own stored documents.
 * @throws {ProblemError} 400 when the place of the email is ambiguous, 413 for documents that are too long.
 */
export function mayOperate(
  operation: string,
  request: GraphqlRequest,
  emailPaths: readonly FieldPath[],
): boolean {
  const name = foldName(operation);
  if (request.documents.some((document) => mayName(document, name))) return true;
  const { fields, otherVariables: others } = request;
  if (others === 'unreadable') return !runsDocumentsAlone(request);
  const places = others === 'none' ? [fields] : [fields, others];
  const hasEmail = (place: BodyFields) => emailPaths.some((path) => place.find(path) !== undefined);
  // Unreadable variables refuse a request only if they may belong to a signup: they matter with a stored document
  // alone.
  if (places.every((place) => surelyLacks(place, hasEmail)) || runsDocumentsAlone(request)) return false;
  return places.some(hasEmail);
}

function surelyLacks(place: BodyFields, hasEmail: (place: BodyFields) => boolean): boolean {
  try {
    return !hasEmail(place);
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

/** Whether the request itself holds every document that a server may run, and all servers read them alike. */
export function runsDocumentsAlone({ documents, references }: GraphqlRequest): boolean {
  if (documents.length === 0 || !documents.every(isDocument)) return false;
  if (references.length === 0) return true;
  // Automatic persisted queries send the hash of the document with it: this names no other document.
  const digests = new Set(documents.flatMap(digestsOf));
  return references.every((reference) => digests.has(reference.replace(/^sha256:/i, '')));
}

/**
 * Whether a server with automatic persisted queries may store a document of the request that contains the name, for
 * later requests with its hash alone. One operation runs, and every operation is stored.
 * @param operation Null when any operation matches.
 */
export function mayStore({ documents, references }: GraphqlRequest, operation: string | null): boolean {
  if (references.length === 0) return false;
  return documents.some((document) => operation === null || mayName(document, foldName(operation)));
}

/** The operation in the route's condition; null when the route has none. */
export function operationOf({ when: { operationName } }: RouteConfig): string | null {
  return operationName === undefined || typeof operationName === 'object' ? null : String(operationName);
}

function digestsOf({ text }: GraphqlDocument): string[] {
  const digest = createHash('sha256').update(text).digest();
  return [digest.toString('hex'), digest.toString('hex').toUpperCase(), digest.toString('base64')];
}
