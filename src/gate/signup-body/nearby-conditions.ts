import type { ConditionValue, RouteConfig } from '../../config/config.ts';
import { AT_SIGN } from './body-fields.ts';
import { type ConditionSources, type HeadSources, holds, isInHead, isWanted } from './conditions.ts';
import { compareName, type FieldPath, parseFieldPath } from './field-path.ts';

/**
 * Whether a body fulfils every condition for an app that finds their fields under other names: a binder of forms that
 * reads one object deeper (`model.op=signup&model.email=…` in ASP.NET) or only the end of a name (gin), or a reader of
 * forms or JSON that writes the words of a name in another way (camelcase-keys). Other requests have such names too, such
 * as `filter[op]`, so the body or the query must also hold an email in one of these places.
 */
export function fulfilsNearby(route: RouteConfig, sources: ConditionSources & { isForm: boolean }): boolean {
  const { fields, graphql, budget, isForm } = sources;
  if (graphql) return false;
  const hasValue = ([place, wanted]: [string, ConditionValue]) =>
    holds(place, wanted, sources) ||
    (!isInHead(place) &&
      (fields.valuesInstead(parseFieldPath(place)).some((value) => isWanted(value, wanted, budget)) ||
        (isForm && holdsNearbyInQuery(place, wanted, sources))));
  const hasEmail = (path: FieldPath) =>
    fields.textsNearby(path).some((text) => AT_SIGN.test(text)) ||
    (isForm && textsNearbyInQuery(path, sources).some((text) => AT_SIGN.test(text))) ||
    fields.find(path, 'address') !== undefined;
  return Object.entries(route.when).every(hasValue) && route.email.map(parseFieldPath).some(hasEmail);
}

/** Whether the query alone fulfils a condition on a field of the body for such a binder. */
export function holdsNearbyInQuery(place: string, wanted: ConditionValue, head: HeadSources): boolean {
  return textsNearbyInQuery(parseFieldPath(place), head).some((text) => isWanted(text, wanted, head.budget));
}

function textsNearbyInQuery(path: FieldPath, { query, budget }: HeadSources): readonly string[] {
  return query.flatMap(([name, text]) => {
    const match = compareName(name, path, budget);
    return match === 'deeper' || match === 'flat' ? [text] : [];
  });
}
