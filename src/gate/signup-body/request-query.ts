/** The pairs of a target's query, decoded, in order. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Some split a query at semicolons too; what they see in addition counts like the rest. */
export function readQuery(target: string): QueryPairs {
  const at = target.indexOf('?');
  if (at === -1) return [];
  const text = target.slice(at + 1).replace(/#.*$/s, '');
  const pairs = [...new URLSearchParams(text)];
  return text.includes(';') ? [...pairs, ...new URLSearchParams(text.replaceAll(';', '&'))] : pairs;
}
