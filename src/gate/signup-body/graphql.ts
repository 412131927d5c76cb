import { ProblemError } from '../../http/problem.ts';
import { ambiguous, type BodyFields } from './body-fields.ts';
import { type FieldPath, foldName } from './field-path.ts';

/** What a request to a GraphQL endpoint says: its body, and the query of its target, which some servers prefer. */
export interface GraphqlRequest {
  readonly fields: BodyFields;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** Five times what introspection needs with every fragment written out. */
const MAX_DOCUMENT_CHARACTERS = 50_000;
/** Names, variables, strings and the marks between them; comments are skipped (GraphQL specification, section 2.1). */
const TOKENS = /#[^\n\r]*|"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|\$?[A-Za-z_]\w*|:/g;

/**
 * Whether a request may run an operation. GraphQL runs what the document says, and the operation's name is the sender's
 * to choose or to leave out: a document that holds the name, as its own or as a field's, counts. Where there is no
 * document (a stored one, known by its hash), it counts when the email is there.
 */
export function mayOperate(operation: string, request: GraphqlRequest, emailPath: FieldPath): boolean {
  const wanted = foldName(operation);
  const documents = documentsOf(request);
  if (documents.length > 0) {
    return documents.some(
      (text) => foldName(text).includes(wanted) && tokensOf(text).some((token) => foldName(token) === wanted),
    );
  }
  return request.fields.find(emailPath) !== undefined;
}

/**
 * Refuses a signup whose email need not be the one at the configured path: written into the document, taken from another
 * variable, or given in the target's query.
 *
 * @throws {ProblemError} `invalid_request`.
 */
export function refuseOtherEmails(request: GraphqlRequest, emailPath: FieldPath): void {
  const [root = '', variable, ...rest] = emailPath;
  if (request.query.some(([name]) => foldName(name) === 'variables'))
    throw ambiguous(emailPath, 'the query of the target holds variables');
  for (const document of documentsOf(request)) {
    const tokens = tokensOf(document);
    if (tokens.some((token) => token.startsWith('"') && /@|\\u/.test(token)))
      throw ambiguous(emailPath, 'an address stands in the document itself');
    const isTakenElsewhere = tokens.some(
      (token, i) =>
        foldName(token) === foldName(emailPath.at(-1) ?? '') &&
        tokens[i + 1] === ':' &&
        tokens[i + 2]?.startsWith('$') &&
        (rest.length > 0 || tokens[i + 2] !== `$${variable}`),
    );
    if (isTakenElsewhere) throw ambiguous(emailPath, 'the document takes it from another variable');
  }
  if (rest.length === 0) return;
  for (const [name, fields] of request.fields.objectsIn([root])) {
    if (name !== variable && fields.find(rest) !== undefined)
      throw ambiguous(emailPath, 'another variable holds one');
  }
}

function documentsOf({ fields, query }: GraphqlRequest): string[] {
  const sent = fields.find(['query']);
  const inTarget = query.filter(([name]) => foldName(name) === 'query').map(([, value]) => value);
  return typeof sent === 'string' ? [sent, ...inTarget] : inTarget;
}

function tokensOf(document: string): string[] {
  if (document.length > MAX_DOCUMENT_CHARACTERS) {
    throw new ProblemError('payload_too_large', 'The GraphQL document is too long to be read.');
  }
  return document.match(TOKENS)?.filter((token) => !token.startsWith('#')) ?? [];
}
