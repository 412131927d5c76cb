import { innerAddresses } from '../../addresses/email-address.ts';
import type { RouteConfig } from '../../config/config.ts';
import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import { isDoubtful } from '../routes/find-routes.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { emailsInArguments, sentForm } from './action-forms.ts';
import { ambiguous, type BodyFields, jsonFields } from './body-fields.ts';
import { type BodyOutline, outlineOf } from './body-outline.ts';
import { fulfils, type HeadSources, isConditional, type QueryPairs } from './conditions.ts';
import { readCharset, UTF8 } from './content-type.ts';
import { compareName, type FieldPath, parseFieldPath } from './field-path.ts';
import { FieldsLook } from './fields-look.ts';
import type { Mention } from './form-mentions.ts';
import type { GraphqlRequest } from './graphql/graphql-request.ts';
import { operationOf } from './graphql/may-operate.ts';
import { type GraphqlBody, readGraphqlRequests } from './graphql/read-requests.ts';
import { refuseOtherEmails } from './graphql/refuse-other-emails.ts';
import { emailsInJsonTexts } from './json-texts.ts';
import { refuseListedEmail } from './listed-email.ts';
import { asksOnlyForOtherMethod, namesMethod } from './method-field.ts';
import { fulfilsNearby } from './nearby-conditions.ts';
import { addressesIn, secondEmails } from './second-emails.ts';
import { refuseOtherForms } from './server-action.ts';

const NO_TEXTS: readonly string[] = [];

export interface Signup {
  readonly route: RouteConfig;
  readonly candidate: RouteCandidate;
  /** The text at the configured place, trimmed; null when it is missing. */
  readonly email: string | null;
  /** Other emails that an app may use instead. Each is judged too. */
  readonly otherEmails: readonly string[];
  /** The other fields of the body; null when the body has the email field, with or without a text. */
  readonly outline: BodyOutline | null;
}

/** A parsed body. */
export interface ReadBody extends GraphqlBody {
  readonly fields: BodyFields;
  /** The body names a charset other than UTF-8. Some apps ignore the charset. */
  readonly hasOtherCharset?: boolean;
  /** The values at these paths for readers that parse any body as a form. */
  mentions(paths: readonly FieldPath[]): readonly Mention[];
  /** The emails that superjson may copy to these paths; only in JSON. */
  copies?(paths: readonly FieldPath[]): readonly string[];
}

/**
 * Finds the first candidate whose conditions the body fulfils, and the emails in the body. Null: the request is not a
 * signup.
 * @throws {ProblemError} 400 or 413 when two parsers could read the body differently.
 */
export function findSignup(
  body: ReadBody,
  head: HeadSources,
  candidates: readonly RouteCandidate[],
): Signup | null {
  for (const candidate of candidates) {
    const { route } = candidate;
    const paths = route.email.map(parseFieldPath);
    if (Array.isArray(body.json)) refuseListedEmail(candidate, { list: body.json, paths }, head);
    if (body.form) refuseOtherForms(body.form.all, paths, head.budget);
    const sent = body.form ? sentForm(body.form.all, paths, head.budget) : null;
    const inArguments = body.form ? emailsInArguments(body.form.all, paths, head.budget) : NO_TEXTS;
    const ofAction = [...(sent?.otherEmails ?? NO_TEXTS), ...inArguments];
    const parts = partsFor(route, sent ? { ...body, fields: sent.fields } : body, head);
    const [part, another] = isConditional(candidate)
      ? parts.filter(
          ({ fields, graphql }) =>
            fulfilsBody(candidate, { fields, paths, body, graphql }, head) &&
            (fulfils(route, { ...head, fields, graphql }) ||
              fulfilsNearby(route, { ...head, fields, graphql, isForm: body.form !== undefined })),
        )
      : parts;
    if (!part && ofAction.length > 0) throw ambiguous(paths[0] ?? [], 'the arguments of the action hold it');
    if (!part) continue;
    const { fields, graphql } = part;
    if (another) throw ambiguous(paths[0] ?? [], 'the request holds several signups');
    if (graphql) refuseOtherEmails(graphql, paths, operationOf(route));
    let email: string | null = null;
    for (const path of paths) {
      const found = emailAt(path, fields);
      if (email !== null && found !== null && found !== email)
        throw ambiguous(path, 'another place holds another value');
      email ??= found;
    }
    const inQuery = head.query.length === 0 ? NO_TEXTS : paths.flatMap((path) => textsInQuery(path, head));
    if (email === null && inQuery.some((text) => text.trim() !== ''))
      throw ambiguous(paths[0] ?? [], 'only the query holds it');
    const mentions = body.mentions(paths);
    // A link may hold any text. Inside a form field, an honest client writes no other form field.
    const ofForms = mentions.filter(({ isInLink }) => !isInLink);
    if (secondEmails(email, addressesIn(ofForms)).length > 0)
      throw ambiguous(paths[0] ?? [], 'the body, read as a form, holds another value');
    const inJson = body.form ? emailsInJsonTexts(body.form.all, paths, head.budget) : NO_TEXTS;
    const copies = body.copies?.(paths) ?? NO_TEXTS;
    const inFields = paths.flatMap((path) => fields.textsNearby(path));
    const nearby = [...inFields, ...inJson, ...ofAction, ...copies];
    if ((body.hasOtherCharset || namesOtherCharset(body)) && ![email ?? '', ...nearby].every(isAscii))
      throw ambiguous(paths[0] ?? [], 'outside ASCII, some apps ignore the charset of the form');
    const outer = [...nearby, ...inQuery, ...addressesIn(mentions)];
    const others = [...outer, ...[email ?? '', ...outer].flatMap(innerAddresses)];
    const isThere = email !== null || paths.some((path) => fields.find(path, 'address') !== undefined);
    const outline = isThere ? null : outlineOf(fields.all());
    const otherEmails = secondEmails(email, others);
    const hasNoEmail = !isThere && otherEmails.length === 0;
    if (body.form && hasNoEmail && asksOnlyForOtherMethod(fields, route, head.query)) continue;
    // Without the place of the email, a form that fulfils the conditions nearby has its email there too.
    const [own, ...more] = isThere || graphql || fulfils(route, { ...head, fields }) ? NO_TEXTS : otherEmails;
    const isNearby = own !== undefined && more.length === 0;
    if (isNearby) return { route, candidate, email: own, otherEmails: NO_TEXTS, outline: null };
    return { route, candidate, email, otherEmails, outline };
  }
  return null;
}

/** The largest number of operations. No honest client sends more in one request. */
const MAX_BATCH = 100;

/** One operation or form that a request asks for. */
interface Part {
  readonly fields: BodyFields;
  readonly graphql?: GraphqlRequest | undefined;
}

/** The parts that a route checks: the body, or each operation when the route selects one operation. */
function partsFor({ when }: RouteConfig, body: ReadBody, { query, budget }: HeadSources): readonly Part[] {
  if ('operationName' in when)
    return readGraphqlRequests(body, query, budget).map((graphql) => ({ fields: graphql.fields, graphql }));
  const { fields, json } = body;
  if (Object.keys(when).length === 0 || !Array.isArray(json)) return [{ fields }];
  if (json.length > MAX_BATCH)
    throw new ProblemError('payload_too_large', `The request holds more than ${MAX_BATCH} operations.`);
  return json.map((one) => ({ fields: jsonFields(one, budget) }));
}

interface PartOfBody extends Part {
  readonly paths: readonly FieldPath[];
  readonly body: ReadBody;
}

function fulfilsBody(
  candidate: RouteCandidate,
  { fields, paths, body, graphql }: PartOfBody,
  head: HeadSources,
): boolean {
  const { bodyCondition, route } = candidate;
  // The document may hold an email: then the condition on the operation decides.
  if (bodyCondition === 'none' || (bodyCondition === 'email field' && graphql)) return true;
  if (isCalledWithEmail(candidate, head)) return true;
  if (!hasFields(route, body)) return hasEmailInText(candidate, body, head);
  if (namesMethod(fields, route)) return true;
  if (bodyCondition === 'method field') return false;
  return (
    paths.some((path) => fields.find(path, 'address') !== undefined || fields.textsNearby(path).length > 0) ||
    (body.form !== undefined && emailsInJsonTexts(body.form.all, paths, head.budget).length > 0)
  );
}

/**
 * The query of a front controller may be a search. When it contains an email beside the path, it is a signup with any
 * body.
 */
export function isCalledWithEmail({ route, source }: RouteCandidate, head: HeadSources): boolean {
  return (
    isDoubtful(source) && route.email.some((place) => textsInQuery(parseFieldPath(place), head).length > 0)
  );
}

/** A list or a bare text has no fields, except a list of operations. */
function hasFields({ when }: RouteConfig, { json }: ReadBody): boolean {
  if (json === undefined || Object.keys(when).length > 0) return true;
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Some apps parse such a text once more, because some clients write JSON twice. The search for the email refuses it. */
function hasEmailInText(candidate: RouteCandidate, { json }: ReadBody, { budget }: HeadSources): boolean {
  if (typeof json !== 'string') return false;
  const look = new FieldsLook([candidate], budget);
  look.write(Buffer.from(json));
  return look.mayHaveEmail;
}

/** A form may name its charset in a field, which Apache Sling and others obey (RFC 7578 section 4.6). */
function namesOtherCharset({ form }: ReadBody): boolean {
  return (form?.all ?? []).some(({ name, value }) => {
    const label = name.trim().toLowerCase() === '_charset_' ? (value ?? '').trim() : '';
    return label !== '' && readCharset(label) !== UTF8;
  });
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

function emailAt(path: FieldPath, fields: BodyFields): string | null {
  const value = fields.find(path, 'address');
  if (value !== undefined && typeof value !== 'string') throw ambiguous(path, 'it is not a text');
  // Ruby reads NUL as white space, C as the end of the text.
  if (value?.includes('\0')) throw ambiguous(path, 'it holds a NUL');
  return value?.trim() || null;
}

/** In some apps the query overrides the body (Flask's `values`), in others the body overrides the query. */
function textsInQuery(
  path: FieldPath,
  { query, budget }: { query: QueryPairs; budget: WorkBudget },
): string[] {
  return query.flatMap(([name, text]) => (compareName(name, path, budget) === 'other' ? [] : [text]));
}
