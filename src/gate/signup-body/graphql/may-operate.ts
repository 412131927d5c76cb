import { createHash } from 'node:crypto';
import type { RouteConfig } from '../../../config/config.ts';
import { ProblemError } from '../../../http/problem.ts';
import type { BodyFields } from '../body-fields.ts';
import { type FieldPath, foldName } from '../field-path.ts';
import { type GraphqlDocument, isDocument, mayName } from './document.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/**
 * Whether a request may run an operation. GraphQL runs what the document says, and the operation's name is the sender's
 * to choose or to leave out: a document that holds the name, as its own or as a field's, counts. With an email at one of
 * the places, so does everything but documents that provably lack the name: a server may keep documents of its own.
 *
 * @throws {ProblemError} 400 where it cannot be told whether the email is there, 413 for documents that are too long.
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
  // Nobody is refused for variables that are no signup's: what is not clear there matters with a stored document alone.
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

/** Whether all that a server may run stands in the request, and is read alike by all. */
export function runsDocumentsAlone({ documents, references }: GraphqlRequest): boolean {
  if (documents.length === 0 || !documents.every(isDocument)) return false;
  if (references.length === 0) return true;
  // Automatic persisted queries send the hash of the document beside it: that is no other document.
  const digests = new Set(documents.flatMap(digestsOf));
  return references.every((reference) => digests.has(reference.replace(/^sha256:/i, '')));
}

/** The operation that a route waits for; null where any will do. */
export function operationOf({ when: { operationName } }: RouteConfig): string | null {
  return operationName === undefined || typeof operationName === 'object' ? null : String(operationName);
}

function digestsOf({ text }: GraphqlDocument): string[] {
  const digest = createHash('sha256').update(text).digest();
  return [digest.toString('hex'), digest.toString('hex').toUpperCase(), digest.toString('base64')];
}
