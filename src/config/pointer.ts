/** A place in a document: keys and list indices from the top. As a map key it is a JSON Pointer (RFC 6901). */
export type Steps = readonly (string | number)[];

export function toPointer(steps: Steps): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function fromPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `/proxy/routes/1/methods` in the usual notation: `proxy.routes[1].methods`. A very long key is cut. */
export function displayPointer(pointer: string): string {
  return fromPointer(pointer)
    .map((step, i) => (/^\d+$/.test(step) ? `[${step}]` : `${i > 0 ? '.' : ''}${displayKey(step)}`))
    .join('');
}

/**
 * A key for a message. After a colon inside it, the key contains its own value, such as `"authorization: Bearer …"`
 * in quotes. That value may be a secret. Keys such as `header:name` are names.
 */
export function displayKey(key: string): string {
  const [prefix = ''] = /^(?:header|query|cookie|body):/.exec(key) ?? [];
  const colon = key.indexOf(':', prefix.length);
  return shorten(colon === -1 ? key : `${key.slice(0, colon + 1)}…`);
}

/** The value at a place. Undefined when the document does not have this place. */
export function valueAt(document: unknown, steps: Steps): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** The user's text for a message: on one line and of limited length. */
export function shorten(text: string): string {
  const line = text.replace(/\p{Cc}/gu, '�');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
