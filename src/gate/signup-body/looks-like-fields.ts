import type { RouteCandidate } from '../routes/match-routes.ts';
import type { WorkBudget } from '../work-budget.ts';
import { parseFieldPath } from './field-path.ts';
import { lenientWord } from './lenient-word.ts';

/** Names of form fields are shorter. */
const MAX_NAME_CHARACTERS = 200;
/** Measured: a byte, for each name. */
const BYTE_COST = 10;

/** Whether a body says that it is a form or JSON, or nothing, which Rack takes for a form. */
export function isFormOrJson(contentTypes: readonly string[]): boolean {
  return (
    contentTypes.length === 0 || contentTypes.some((type) => /^\s*(?:[;,]|$)|form|json|multipart/i.test(type))
  );
}

/**
 * Whether a body that says it is neither form nor JSON is one all the same, with the email of a route, to readers that
 * ask for no type. A picture that has the word somewhere is not.
 */
export function looksLikeFields(
  bytes: Buffer,
  candidates: readonly RouteCandidate[],
  budget: WorkBudget,
): boolean {
  const names = new Set(
    candidates.flatMap(({ route, bodyCondition }) =>
      bodyCondition === 'email field' ? route.email.map((email) => parseFieldPath(email).at(-1) ?? '') : [],
    ),
  );
  budget.spend(names.size * bytes.length * BYTE_COST);
  const text = bytes.toString('latin1').replaceAll('\0', '');
  const isLikeJson = /^[\s\xef\xbb\xbf\xfe\xff]*[{[]/.test(text);
  return [...names].some((name) => {
    const word = lenientWord(name);
    const pattern = isLikeJson
      ? `"[^"]{0,${MAX_NAME_CHARACTERS}}${word}`
      : `(?:^|[&;])[^&;=]{0,${MAX_NAME_CHARACTERS}}${word}[^&;=]{0,${MAX_NAME_CHARACTERS}}=`;
    return new RegExp(pattern, 'i').test(text);
  });
}
