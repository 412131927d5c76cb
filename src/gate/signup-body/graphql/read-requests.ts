import { parseJsonBody } from '../../../http/json-body.ts';
import { ProblemError } from '../../../http/problem.ts';
import type { WorkBudget } from '../../budgets.ts';
import { ambiguous, type BodyFields, type FormField, jsonFields } from '../body-fields.ts';
import type { QueryPairs } from '../conditions.ts';
import {
  foldMember,
  hasListedVariables,
  isList,
  MEMBERS,
  memberOf,
  operationsIn,
  operationsInValue,
} from './batches.ts';
import { createDocumentReader, type DocumentReader, type GraphqlDocument, isQueryField } from './document.ts';
import type { GraphqlRequest } from './graphql-request.ts';
import { mayReferTo, referencesIn } from './stored-documents.ts';
import { decodeJson, decodeVariables, membersOf, nestedVariable, readUploads } from './variables.ts';

/** A parsed body; both fields are missing without one. */
export interface GraphqlBody {
  readonly json?: unknown;
  readonly form?: { readonly fields: BodyFields; readonly all: readonly FormField[] };
}

/** The protocol knows four; each other member may name a document to some server. */
const MAX_MEMBERS = 100;
/** Measured for a pair with a short name, without the comparison of its name. */
const PAIR_COST = 400;

/** Names and values, as in a form and in the query of a target. */
interface Pairs {
  readonly documents: readonly GraphqlDocument[];
  readonly references: readonly string[];
  /** The variables, or parts of them. */
  readonly variables: QueryPairs;
  readonly hasOperations: boolean;
  /** Those inside a value that the protocol does not know. */
  readonly further: readonly unknown[];
}

interface Target extends Pairs {
  readonly operationName: string | undefined;
  readonly read: DocumentReader;
  readonly budget: WorkBudget;
}

/**
 * Reads the GraphQL operations of a request from every place that some server reads: a JSON body, a batch, a form with
 * the document in a field, an upload (GraphQL multipart request specification), and the query of the target.
 * @returns one for each operation of a batch.
 * @throws {ProblemError} 400 when servers would read two different operations, 413 for a batch that is too large.
 */
export function readGraphqlRequests(
  { json, form }: GraphqlBody,
  query: QueryPairs,
  budget: WorkBudget,
): GraphqlRequest[] {
  const target = readTarget(query, budget);
  const further = target.further.map((operation) => readOperation(operation, target));
  if (form !== undefined) return [...readForm(form.fields, form.all, target), ...further];
  return [...(json === undefined ? [readTargetAlone(target)] : readJson(json, target)), ...further];
}

function readTarget(query: QueryPairs, budget: WorkBudget): Target {
  const read = createDocumentReader(budget);
  const operationName = query.find(([name]) => name === 'operationName')?.[1];
  const pairs = readPairs(query, { read, budget });
  if (pairs.hasOperations) throw ambiguous(['operations'], 'the query of the target holds it too');
  return { ...pairs, operationName, read, budget };
}

function readPairs(pairs: QueryPairs, { read, budget }: Pick<Target, 'read' | 'budget'>): Pairs {
  const documents: GraphqlDocument[] = [];
  const references: string[] = [];
  const variables: (readonly [string, string])[] = [];
  const further: unknown[] = [];
  let hasOperations = false;
  const isPhpList = isList(pairs);
  for (const pair of pairs) {
    const [name, value] = pair;
    budget.spend(PAIR_COST);
    const member = memberOf(name);
    hasOperations ||= member === 'operations';
    const isListed = hasListedVariables(name) || (isPhpList && member === 'variables');
    if (member === 'variables' || isListed) variables.push(pair);
    // Any document may take listed variables.
    if (isListed) references.push('');
    if (value === '' || (member === 'variables' && !isPhpList)) continue;
    if (isPhpList || !MEMBERS.has(member)) further.push(...operationsInValue(value, budget));
    if (member === 'extensions') references.push(...referencesInText(value, budget));
    else if (value.includes('{') || isQueryField(name, budget)) documents.push(read(value));
    else if (mayReferTo(name, value)) references.push(value);
  }
  return { documents, references, variables, hasOperations, further };
}

function referencesInText(extensions: string, budget: WorkBudget): readonly string[] {
  const decoded = decodeJson(extensions, budget);
  return typeof decoded === 'string' ? [decoded] : referencesIn(decoded);
}

function readJson(json: unknown, target: Target): GraphqlRequest[] {
  const operations = operationsIn(json, target.budget);
  // Without an operation in the body, the operation in the target counts.
  return operations.length === 0
    ? [readTargetAlone(target)]
    : operations.map((operation) => readOperation(operation, target));
}

/** Any member that the protocol does not know may name a stored document to some server. */
function readOperation(json: unknown, target: Target): GraphqlRequest {
  if (typeof json === 'object' && json !== null && Object.keys(json).length > MAX_MEMBERS)
    throw new ProblemError('payload_too_large', `The operation has more than ${MAX_MEMBERS} members.`);
  const fields = jsonFields(json, target.budget);
  // Throws when there is no object, or when the name has another spelling.
  const query = fields.find(['query']);
  const members = Object.entries(json as Readonly<Record<string, unknown>>).filter(
    ([, value]) => value !== null && value !== '' && typeof value !== 'boolean',
  );
  const documents: GraphqlDocument[] = [];
  const references: string[] = [];
  let variables: unknown;
  for (const [name, value] of members) {
    const known = foldMember(name);
    if (known === 'variables') variables = decodeVariables(value, target.budget);
    else if (known === 'operationname') continue;
    else if (known === 'operations') throw ambiguous(['query'], 'the request also holds operations');
    else if (known === 'extensions')
      references.push(
        ...(typeof value === 'string' ? referencesInText(value, target.budget) : referencesIn(value)),
      );
    else if (typeof value === 'string' && (value === query || value.includes('{')))
      documents.push(target.read(value));
    else references.push(typeof value === 'object' ? '' : String(value));
  }
  return {
    // A second spelling of the name stays: the search for the email refuses it.
    fields: variables === undefined ? fields : jsonFields({ ...(json as object), variables }, target.budget),
    documents: [...documents, ...target.documents],
    references: [...references, ...target.references],
    variables: membersOf(variables),
    otherVariables: readVariablesInTarget(target),
    uploads: [],
    budget: target.budget,
  };
}

/** The operation of a GET, and of a POST without a body. */
function readTargetAlone({
  operationName,
  documents,
  references,
  variables,
  budget,
}: Target): GraphqlRequest {
  const decoded = decodeOne(variables, budget);
  return {
    fields: jsonFields({ operationName, variables: decoded }, budget),
    documents,
    references,
    variables: membersOf(decoded),
    otherVariables: variables.length > 0 && decoded === undefined ? 'unreadable' : 'none',
    uploads: [],
    budget,
  };
}

function readForm(form: BodyFields, all: readonly FormField[], target: Target): GraphqlRequest[] {
  // Throws when it is a file or a duplicate.
  const query = form.find(['query']);
  const operations = form.find(['operations']);
  const texts = all.flatMap(({ name, value }) =>
    value === null || (operations !== undefined && ['operations', 'map'].includes(name))
      ? []
      : [[name, value] as const],
  );
  const { documents, references, variables, further } = readPairs(texts, target);
  const listed = further.map((operation) => readOperation(operation, target));
  if (operations !== undefined) {
    if (query !== undefined || [...variables, ...target.variables, ...target.documents].length > 0)
      throw ambiguous(['operations'], 'the request also holds a query or variables');
    const uploads = readUploads(form.find(['map']), target.budget);
    const requests = readJson(parseJsonBody(Buffer.from(String(operations)), target.budget), target);
    const withFields = requests.map((request) => ({
      ...request,
      documents: [...request.documents, ...documents],
      references: [...request.references, ...references],
      uploads,
    }));
    return [...withFields, ...listed];
  }
  const decoded = decodeOne(variables, target.budget);
  const isNested = variables.every(([name]) => /^variables[[.]/.test(name));
  return [
    {
      fields: decoded === undefined ? form : withVariables(form, decoded, target.budget),
      documents: [...documents, ...target.documents],
      references: [...references, ...target.references],
      variables: decoded === undefined ? variables.map(nestedVariable) : membersOf(decoded),
      otherVariables: decoded === undefined && !isNested ? 'unreadable' : readVariablesInTarget(target),
      uploads: [],
      budget: target.budget,
    },
    ...listed,
  ];
}

/** The variables when they are one text; undefined when they are missing or come one by one. */
function decodeOne([first, ...more]: QueryPairs, budget: WorkBudget): unknown {
  return first?.[0] === 'variables' && more.length === 0 ? decodeVariables(first[1], budget) : undefined;
}

function withVariables(form: BodyFields, variables: unknown, budget: WorkBudget): BodyFields {
  const decoded = jsonFields({ variables }, budget);
  return { ...form, find: (path) => (path[0] === 'variables' ? decoded : form).find(path) };
}

function readVariablesInTarget({ variables, budget }: Target): GraphqlRequest['otherVariables'] {
  if (variables.length === 0) return 'none';
  const decoded = decodeOne(variables, budget);
  return decoded === undefined ? 'unreadable' : jsonFields({ variables: decoded }, budget);
}
