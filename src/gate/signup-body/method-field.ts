import type { RouteConfig } from '../../config/config.ts';
import { UNNAMED_METHODS } from '../routes/route-table.ts';
import type { BodyFields } from './body-fields.ts';

/** The `_method` of Rails, Laravel, Symfony and others. */
const METHOD_FIELD = ['_method'];
const OTHER_METHODS = new Set(['PUT', 'PATCH', 'DELETE']);
/**
 * Names of fields that hold nothing of a person: tokens against forged requests, buttons, and the `utf8` of Rails. Any other
 * token may name a person, such as the `id_token` of a login by another site.
 */
const OF_NO_PERSON =
  /^(?:_method|utf8|commit|button|submit|_charset_|_token|authenticity_token|__RequestVerificationToken)$|[cx]srf/i;

/** Whether the body asks for a method of the route. */
export function namesMethod(fields: BodyFields, route: RouteConfig): boolean {
  const method = methodIn(fields);
  return method !== null && methodsOf(route).includes(method);
}

/**
 * Whether a form asks for another method than the route has, and holds nothing that could make an account. The button
 * "Cancel my account" of Devise posts such a form to the path of its signup. With other fields the form counts as a
 * signup, because many apps ignore `_method`.
 */
export function asksOnlyForOtherMethod(
  fields: BodyFields,
  route: RouteConfig,
  query: readonly (readonly [name: string, value: string])[],
): boolean {
  for (const [name] of [...fields.all(), ...query]) if (!OF_NO_PERSON.test(name)) return false;
  const method = methodIn(fields);
  return method !== null && OTHER_METHODS.has(method) && !methodsOf(route).includes(method);
}

function methodIn(fields: BodyFields): string | null {
  const method = fields.find(METHOD_FIELD);
  return typeof method === 'string' ? method.trim().toUpperCase() : null;
}

function methodsOf({ methods }: RouteConfig): readonly string[] {
  return methods ?? UNNAMED_METHODS;
}
