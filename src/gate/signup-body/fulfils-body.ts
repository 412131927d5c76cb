import type { RouteConfig } from '../../config/config.ts';
import { isDoubtful } from '../routes/find-routes.ts';
import type { RouteCandidate } from '../routes/route-table.ts';
import type { BodyFields } from './body-fields.ts';
import { type HeadSources, textsInQuery } from './conditions.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import { FieldsLook } from './fields-look.ts';
import type { GraphqlRequest } from './graphql/graphql-request.ts';
import { mayStore, operationOf } from './graphql/may-operate.ts';
import type { GraphqlBody } from './graphql/read-requests.ts';
import { emailsInJsonTexts } from './json-texts.ts';
import { namesMethod } from './method-field.ts';

/** The body, or one operation in it. */
interface PartOfBody {
  readonly fields: BodyFields;
  readonly graphql?: GraphqlRequest | undefined;
  /** The places of the email. */
  readonly paths: readonly FieldPath[];
  readonly body: GraphqlBody;
}

/** Whether the body makes a signup of a request whose head alone does not. */
export function fulfilsBody(
  candidate: RouteCandidate,
  { fields, paths, body, graphql }: PartOfBody,
  head: HeadSources,
): boolean {
  const { bodyCondition, route } = candidate;
  if (bodyCondition === 'stored document')
    return graphql !== undefined && mayStore(graphql, operationOf(route));
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
function hasFields({ when }: RouteConfig, { json }: GraphqlBody): boolean {
  if (json === undefined || Object.keys(when).length > 0) return true;
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Some apps parse such a text once more, because some clients write JSON twice. The search for the email refuses it. */
function hasEmailInText(candidate: RouteCandidate, { json }: GraphqlBody, { budget }: HeadSources): boolean {
  if (typeof json !== 'string') return false;
  const look = new FieldsLook([candidate], budget);
  look.write(Buffer.from(json));
  return look.mayHaveEmail;
}
