/** The fields of a posted form. Names with nested or repeated spellings (`plan[x]=1`) are ignored. */
export interface Form {
  /** The value without white space at both ends. Empty when the field is missing or is not a text. */
  text(name: string): string;
  /** The value as typed, for passwords. */
  raw(name: string): string;
  /** Whether the checkbox of that name is checked. */
  has(name: string): boolean;
}

export function readFields(body: unknown): Form {
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const given = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const raw = (name: string) => {
    const value = given(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    raw,
    text: (name) => raw(name).trim(),
    has: (name) => given(name) !== undefined,
  };
}
