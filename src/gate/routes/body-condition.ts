import type { RouteConfig } from '../../config/config.ts';
import type { HeadFields } from './head-fields.ts';

/**
 * What the body has to hold so that a request counts as one of a route.
 *
 * - `none`: the method is one of the route's, or becomes one by a header or the query.
 * - `method field`: a `_method` field that names one. Frameworks look for it in POST; what is in front of them may look
 *   in any request.
 * - `email field`: the route's email, or such a `_method`. Handlers that never look at the method (Go's mux, Django's
 *   function views, PHP scripts, `app.all`) run for whatever carries it.
 */
export type BodyCondition = 'none' | 'method field' | 'email field';

/** What a route judges whatever the body holds, when it names no methods. */
export const UNNAMED_METHODS: readonly string[] = ['POST'];

export interface MethodsOfRequest {
  readonly method: string;
  /** In upper case; read only where the header fields name none that fits. */
  readonly methodsInQuery: ReadonlySet<string>;
  readonly fields: HeadFields;
}

/** Null where no body makes the request one of the route. */
export function conditionFor(
  route: RouteConfig,
  methods: ReadonlySet<string>,
  request: MethodsOfRequest,
): BodyCondition | null {
  const { method, fields } = request;
  if (methods.has(method)) return 'none';
  for (const name of fields.methods) if (methods.has(name)) return 'none';
  for (const name of request.methodsInQuery) if (methods.has(name)) return 'none';
  if (method !== 'POST' && fields.bodyBytes === 0) return null;
  const isForm = mayHaveFields(fields.contentTypes);
  if (route.methods !== null) return isForm ? 'method field' : null;
  // Some read JSON whatever its type says (Go's decoder, PHP's input), but no signup is an upload of that size.
  return isForm || fields.bodyBytes <= route.max_body || fields.bodyBytes === Number.POSITIVE_INFINITY
    ? 'email field'
    : null;
}

/**
 * Whether a framework may look for fields in the body; uploads of anything else need not be held. Rack reads every
 * multipart, and takes what has no type for a form.
 */
function mayHaveFields(contentTypes: readonly string[]): boolean {
  return (
    contentTypes.length === 0 || contentTypes.some((type) => /^\s*(?:[;,]|$)|form|json|multipart/i.test(type))
  );
}
