import { didYouMean } from './advise-text.ts';
import { hasControls } from './url-formats.ts';

/** Names that careless parsers use to change other things than a field of the body. */
const FORBIDDEN_FIELDS = /(?:^|[.[])(?:__proto__|constructor|prototype)(?:$|[.\]])/;
const FIELD_PATH = /^[^.[\]]+(?:\.[^.[\]]+|\[[^.[\]]+\])*$/;
/** JSONPath, a JSON pointer, and the body as handlers name it. As names of fields they would match no body. */
const OTHER_SYNTAX = /^(?:\$\.|\/|(?:req|request)\.body\.|body:)/i;
const OTHER_SOURCE = /^(?:header|query|cookie):/i;
const WILDCARD = /(?:^|[.[])\*+(?:$|[.\]])/;
/** Several simple names in one text. A field of a form builder may have a comma in its sentence. */
const SEVERAL = /^[\w.[\]-]+(?:\s*[,;|]\s*[\w.[\]-]+)+$/;

/** The place of a field in a body. */
export const FIELD_PATH_FORMAT = {
  expected: 'a field of the body, such as email, user.email or user[email]',
  accepts: isFieldPath,
  advise: adviseFieldPath,
} as const;

export function isFieldPath(text: string): boolean {
  return (
    FIELD_PATH.test(text) &&
    text === text.trim() &&
    !OTHER_SYNTAX.test(text) &&
    !OTHER_SOURCE.test(text) &&
    !WILDCARD.test(text) &&
    !SEVERAL.test(text) &&
    !hasControls(text) &&
    !FORBIDDEN_FIELDS.test(text)
  );
}

export function adviseFieldPath(text: string): string | null {
  if (SEVERAL.test(text)) {
    const places = text.split(/\s*[,;|]\s*/);
    return places.every(isFieldPath) ? `write one place, or a list: [${places.join(', ')}]` : null;
  }
  if (OTHER_SOURCE.test(text)) return 'only a field of the body can be named here';
  if (WILDCARD.test(text)) return 'a path has no wildcards: name each field';
  const path = text.trim().replace(OTHER_SYNTAX, '').replaceAll('/', '.');
  return path !== text && isFieldPath(path) ? didYouMean(path) : null;
}
