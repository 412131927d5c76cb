import { literalPattern, localPartTemplate } from './identity.ts';

const MAX_CHARACTERS = 64;
/** The forms of patterns without a fixed text. */
const SHAPE = /^~(?:(?:alnum|hex):\d{1,2}|[wl._-]{1,60}#\d{1,2})$/;

/**
 * Reads a pattern of local parts: a text with `#` for a number, `promo.user#` or `promo.user####`, an example such as
 * `promo.user4821`, or a shape such as `~w.w#4`. Regular expressions of users are never run: texts are compared as a
 * whole.
 * @returns null when the text is not a pattern, or when strangers often share it (`anna1`).
 */
export function parsePattern(text: string): string | null {
  if (text.length === 0 || text.length > MAX_CHARACTERS || text.includes('@')) return null;
  if (isShape(text)) return SHAPE.test(text) ? text : null;
  const example = text.replace(/#+/g, '1');
  return localPartTemplate(example) === null ? null : literalPattern(example);
}

/** Whether the pattern has no fixed text. Then many unrelated people have a mailbox with this pattern. */
export function isShape(template: string): boolean {
  return template.startsWith('~');
}

/** A pattern as text for people: a number becomes `####`, and a shape becomes words. */
export function nameOfPattern(template: string): string {
  const [, alphabet, length] = /^~(alnum|hex):(\d+)$/.exec(template) ?? [];
  if (length !== undefined) {
    return alphabet === 'hex' ? `${length} hexadecimal digits` : `${length} mixed letters and digits`;
  }
  const [, words = '', digits] = /^~(.+)#(\d+)$/.exec(template) ?? [];
  if (digits === undefined) return template.replace(/#/g, '####');
  return `${words.replace(/[wl]/g, (kind) => (kind === 'w' ? 'word' : 'x'))}${'#'.repeat(Number(digits))}`;
}

const DIGITS = '4821503697';

/** A made-up local part of the pattern. */
export function exampleOfPattern(template: string): string {
  const [, alphabet, length] = /^~(alnum|hex):(\d+)$/.exec(template) ?? [];
  if (length !== undefined) {
    const text = alphabet === 'hex' ? '4f8a21c05b9e' : 'k3j9x0q2w7b5';
    return text.repeat(9).slice(0, Number(length));
  }
  const [, words = '', digits] = /^~(.+)#(\d+)$/.exec(template) ?? [];
  if (digits === undefined) return template.replace(/#/g, '4821');
  return `${words.replace(/[wl]/g, (kind) => (kind === 'w' ? 'sunny' : 'k'))}${DIGITS.repeat(3).slice(0, Number(digits))}`;
}
