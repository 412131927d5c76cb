import { innerAddresses } from '../../addresses/email-address.ts';
import type { RouteConfig } from '../../config/config.ts';
import { ProblemError } from '../../http/problem.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import { emailsInArguments, sentForm } from './action-forms.ts';
import { AT_SIGN, ambiguous, type BodyFields, jsonFields } from './body-fields.ts';
import { type BodyOutline, outlineOf } from './body-outline.ts';
import { fulfils, type HeadSources, isConditional, isInHead, textsInQuery } from './conditions.ts';
import { readCharset, UTF8 } from './content-type.ts';
import { decodeEscapes, type FieldPath, parseFieldPath } from './field-path.ts';
import type { Mention } from './form-mentions.ts';
import { fulfilsBody } from './fulfils-body.ts';
import { withinLimit } from './graphql/batches.ts';
import type { GraphqlRequest } from './graphql/graphql-request.ts';
import { operationOf } from './graphql/may-operate.ts';
import { type GraphqlBody, readGraphqlRequests } from './graphql/read-requests.ts';
import { refuseOtherEmails } from './graphql/refuse-other-emails.ts';
import { emailsInJsonTexts } from './json-texts.ts';
import { refuseListedEmail } from './listed-email.ts';
import { asksOnlyForOtherMethod } from './method-field.ts';
import { fulfilsNearby } from './nearby-conditions.ts';
import { refuseOtherForms } from './server-action.ts';

const NO_TEXTS: readonly string[] = [];
const NO_OPERATIONS: readonly unknown[] = [];

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
  for (const [i, candidate] of candidates.entries()) {
    const { route } = candidate;
    const paths = route.email.map(parseFieldPath);
    if (Array.isArray(body.json)) refuseListedEmail(candidate, { list: body.json, paths }, head);
    if (body.form) refuseOtherForms(body.form.all, paths, head.budget);
    const sent = body.form ? sentForm(body.form.all, paths, head.budget) : null;
    const inArguments = body.form ? emailsInArguments(body.form.all, paths, head.budget) : NO_TEXTS;
    const ofAction = [...(sent?.otherEmails ?? NO_TEXTS), ...inArguments];
    const parts = partsFor(route, sent ? { ...body, fields: sent.fields } : body, head);
    const [part, another] = signupsAmong(parts, body, { head, candidate });
    if (!part && ofAction.length > 0) throw ambiguous(paths[0] ?? [], 'the arguments of the action hold it');
    if (!part) continue;
    const { fields, graphql } = part;
    const isElsewhere = (other: RouteCandidate) =>
      signupsAmong(partsFor(other.route, body, head), body, { head, candidate: other }).some(
        ({ index }) => index !== part.index,
      );
    if (another || (parts.length > 1 && candidates.slice(i + 1).some(isElsewhere)))
      throw ambiguous(paths[0] ?? [], 'the request holds several signups');
    if (graphql) refuseOtherEmails(graphql, paths, operationOf(route));
    if (candidate.bodyCondition === 'stored document') continue;
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

interface Match {
  readonly head: HeadSources;
  readonly candidate: RouteCandidate;
}

/** The parts that are signups of one candidate. */
function signupsAmong(parts: readonly Part[], body: ReadBody, { head, candidate }: Match): readonly Part[] {
  if (!isConditional(candidate)) return parts;
  const { route } = candidate;
  const paths = route.email.map(parseFieldPath);
  return parts.filter(
    ({ fields, graphql }) =>
      fulfilsBody(candidate, { fields, paths, body, graphql }, head) &&
      (fulfils(route, { ...head, fields, graphql }) ||
        fulfilsNearby(route, { ...head, fields, graphql, isForm: body.form !== undefined })),
  );
}

/** One operation or form that a request asks for. */
interface Part {
  /** Its position in the body. */
  readonly index: number;
  readonly fields: BodyFields;
  readonly graphql?: GraphqlRequest | undefined;
}

/** The parts that a route checks: the body, or each operation when the route selects one operation. */
function partsFor({ when }: RouteConfig, body: ReadBody, { query, budget }: HeadSources): readonly Part[] {
  if ('operationName' in when)
    return readGraphqlRequests(body, query, budget).map((graphql, index) => ({
      index,
      fields: graphql.fields,
      graphql,
    }));
  const { fields, json } = body;
  const places = Object.keys(when);
  if (places.length === 0 || typeof json !== 'object' || json === null) return [{ index: 0, fields }];
  // The head alone says nothing of the members of an object.
  const isList = Array.isArray(json);
  const listed = isList || !places.every(isInHead) ? operationsListedIn(json) : NO_OPERATIONS;
  const operations = withinLimit(listed).map((one) => jsonFields(one, budget));
  return (isList ? operations : [fields, ...operations]).map((one, index) => ({ index, fields: one }));
}

/**
 * The operations in a list. PHP takes an object with the member `0` for a list of all its members, and Rails and Plug put
 * a list under the name `_json`.
 */
function operationsListedIn(json: object): readonly unknown[] {
  if (Array.isArray(json)) return json;
  const { _json: inRails }: { readonly _json?: unknown } = json;
  const members = Object.hasOwn(json, '0') ? Object.values(json) : [inRails].flat();
  return members.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
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

/** The largest number of emails, since each is judged. No honest form has as many. */
const MAX_SECOND_EMAILS = 8;

/**
 * The emails besides the configured one that an app may use instead, each once. A text that is no address is left out,
 * and so is the same address in another spelling (`%2B`, capitals).
 * @throws {ProblemError} `invalid_request` when there are too many.
 */
function secondEmails(email: string | null, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return texts;
  const known = new Set(email === null ? [] : [canonical(email)]);
  const emails: string[] = [];
  for (const text of texts) {
    const trimmed = text.trim();
    if (!AT_SIGN.test(trimmed) || known.has(canonical(trimmed))) continue;
    known.add(canonical(trimmed));
    if (emails.length === MAX_SECOND_EMAILS)
      throw new ProblemError('invalid_request', 'The request holds too many emails.');
    emails.push(trimmed);
  }
  return emails;
}

/** The addresses that a reader of forms finds in any body. */
function addressesIn(mentions: readonly Mention[]): readonly string[] {
  return mentions.length === 0 ? NO_TEXTS : mentions.map(({ value }) => addressIn(value));
}

/** The address at the beginning of a value; the whole value when another `@` follows. */
function addressIn(value: string): string {
  // A plus may have become a space.
  const [, address = '', rest = ''] =
    /^([^"'<>\\\r\n@\uff20\ufe6b]*[@\uff20\ufe6b][^\s"'<>\\]*)(.*)$/s.exec(value.trim()) ?? [];
  return AT_SIGN.test(rest) ? value : address;
}

/** A link may hold an address that is escaped twice, and a plus as a space. */
function canonical(text: string): string {
  return decodeEscapes(decodeEscapes(text)).trim().replaceAll(' ', '+').toLowerCase();
}
