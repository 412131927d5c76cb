/** The default of a key in a mapping; undefined when the key has no default. */
export function defaultOf(defaults: unknown, key: string): unknown {
  if (typeof defaults !== 'object' || defaults === null) return undefined;
  return Object.entries(defaults).find(([name]) => name === key)?.[1];
}

/** A list of mappings is empty by default. Its only item in the defaults completes the items of the user. */
export function templateOf(defaults: unknown): unknown {
  return Array.isArray(defaults) ? defaults[0] : undefined;
}
