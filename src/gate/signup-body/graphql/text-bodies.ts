import { isUtf8 } from 'node:buffer';
import { parseJsonBody } from '../../../http/json-body.ts';
import { ProblemError } from '../../../http/problem.ts';
import type { WorkBudget } from '../../budgets.ts';
import type { RouteCandidate } from '../../routes/route-table.ts';
import { fulfils, type HeadSources } from '../conditions.ts';
import { foldName } from '../field-path.ts';
import { unescapeAll } from '../unescape-all.ts';
import { createDocumentReader, isDocument, mayName } from './document.ts';
import type { GraphqlRequest } from './graphql-request.ts';
import { operationOf } from './may-operate.ts';
import { readGraphqlRequests } from './read-requests.ts';

/** A GraphQL document, and the type that browsers give to an unnamed body: both in UTF-8. */
const TEXT_TYPE =
  /^(?:application\/graphql|text\/plain)[ \t]*(?:;[ \t]*charset="?(?:utf-?8|us-ascii)"?[ \t]*)?$/i;
/** Plain or escaped, in the ways that some server decodes. */
const AT_SIGN = /[@\uff20\ufe6b\\]|&#/;

/** Measured: for each byte of a text with escapes. */
const ESCAPE_COST = 5;

export function isTextType(contentTypes: readonly string[]): boolean {
  return contentTypes.length === 1 && TEXT_TYPE.test(contentTypes[0] ?? '');
}

/** Whether a text may be a signup although its type does not say so. */
export function mayBeTextSignup(
  bytes: Buffer,
  head: HeadSources,
  candidates: readonly RouteCandidate[],
): boolean {
  const names = candidates.flatMap(({ route }) => operationOf(route) ?? []);
  const requests = readTextRequests(bytes, head, names);
  const isSignup = (graphql: GraphqlRequest) =>
    candidates.some(({ route }) => fulfils(route, { ...head, fields: graphql.fields, graphql }));
  return requests?.some(isSignup) ?? true;
}

/**
 * The operations in a body whose type is not one for signups, but which some server may still run: a document, or JSON.
 * Null when the body is neither, and when it holds no email and none of the names.
 * @param names The operations in the routes' conditions.
 */
function readTextRequests(
  bytes: Buffer,
  { query, budget }: Pick<HeadSources, 'query' | 'budget'>,
  names: readonly string[],
): readonly GraphqlRequest[] | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  const json = readJson(bytes, budget);
  if (json !== undefined) return readGraphqlRequests({ json }, query, budget);
  const document = createDocumentReader(budget)(text);
  const [inTarget, ...more] = readGraphqlRequests({}, query, budget);
  if (inTarget === undefined || more.length > 0) return null;
  if (isDocument(document)) return [{ ...inTarget, documents: [document, ...inTarget.documents] }];
  if (text.includes('%')) budget.spend(bytes.length * ESCAPE_COST);
  const decoded = unescapeAll(bytes).toString();
  const mayBeSignup =
    AT_SIGN.test(decoded) ||
    names.some((name) => mayName({ text: decoded, tokens: () => null }, foldName(name)));
  return mayBeSignup ? null : [inTarget];
}

function readJson(bytes: Buffer, budget: WorkBudget): unknown {
  try {
    return parseJsonBody(bytes, budget);
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}
