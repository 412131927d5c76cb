import { endOfString } from '../../http/json-body.ts';
import { type EmailReplacement, isReplaced } from './email-replacement.ts';

/** The longest way to write one character in JSON is two escapes. */
const MAX_ESCAPED = 12;

const NO_NAME = '""';

/**
 * Replaces an email in JSON, in each text value of objects and lists of any depth. All other characters stay unchanged.
 *
 * @param text It was read before, so it is JSON.
 * @returns null when no value is the email.
 */
export function replaceInJson(text: string, replacement: EmailReplacement): string | null {
  const longest = MAX_ESCAPED * (replacement.typed.length + 2);
  const pieces: string[] = [];
  let kept = 0;
  let name = NO_NAME;
  /** The names of the objects and lists around the text. */
  const outer: string[] = [];
  for (let begin = text.indexOf('"'), before = 0; begin !== -1; ) {
    for (; before < begin; before++) {
      const character = text[before];
      if (character === '{' || character === '[') outer.push(name);
      // The next value belongs to the list or object around this one.
      else if (character === '}' || character === ']') name = outer.pop() ?? NO_NAME;
    }
    const end = endOfString(text, begin) + 1;
    const quoted = text.slice(begin, end);
    if (isName(text, end)) {
      name = quoted;
    } else if (quoted.length <= longest && isReplaced(JSON.parse(name), JSON.parse(quoted), replacement)) {
      pieces.push(text.slice(kept, begin), JSON.stringify(replacement.corrected));
      kept = end;
    }
    before = end;
    begin = text.indexOf('"', end);
  }
  return pieces.length > 0 ? pieces.join('') + text.slice(kept) : null;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++;
  return text[at] === ':';
}
