/** The pairs of a target's query, decoded, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * Some split a query at semicolons too, and some (WSGI) read on behind a `#`, which no client sends; what they see in
 * addition counts like the rest.
 */
export function readQuery(target: string): QueryPairs {
  const at = target.indexOf('?');
  if (at === -1) return [];
  const whole = target.slice(at + 1);
  const text = whole.replace(/#.*$/s, '');
  const texts = new Set([text, whole]);
  for (const one of [...texts]) if (one.includes(';')) texts.add(one.replaceAll(';', '&'));
  return [...texts].flatMap((one) => [...new URLSearchParams(one)]);
}
