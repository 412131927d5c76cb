/**
 * The characters that PostgreSQL cannot store in a text: NUL and half surrogate pairs. They come only from senders; no
 * program writes them on purpose.
 */
const REFUSED = /\0|\p{Surrogate}/u;
const ALL_REFUSED = /\0|\p{Surrogate}/gu;
/** The same, as `JSON.stringify` writes it. It may also find the text of such an escape, which is then kept. */
const REFUSED_IN_JSON = /\\u(0000|d[89a-f])/;
const REPLACEMENT = '\uFFFD';

/** Replaces NUL and surrogates without their other half by U+FFFD, the character for what cannot be shown. */
export function cleanText(text: string): string {
  return REFUSED.test(text) ? text.replace(ALL_REFUSED, REPLACEMENT) : text;
}

/** The value as JSON for a parameter, its texts cleaned. */
export function jsonParameter(value: unknown): string {
  const json = JSON.stringify(value);
  return REFUSED_IN_JSON.test(json) ? JSON.stringify(value, cleaned) : json;
}

export function cleanParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => (typeof value === 'string' ? cleanText(value) : value));
}

function cleaned(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value) : value;
}
