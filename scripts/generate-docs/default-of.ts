/** What the defaults hold for a key of a mapping, or for the items of a list; undefined when they hold nothing. */
export function defaultOf(defaults: unknown, key: string): unknown {
  if (typeof defaults !== 'object' || defaults === null) return undefined;
  return Object.entries(defaults).find(([name]) => name === key)?.[1];
}

/** A list of mappings is empty by default: its one item completes those of the user. */
export function templateOf(defaults: unknown): unknown {
  return Array.isArray(defaults) ? defaults[0] : undefined;
}
