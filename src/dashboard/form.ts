/** The fields of a posted form. Names with nested or repeated spellings (`plan[x]=1`) are ignored. */
export interface Form {
  /** The value without white space at both ends. Empty when the field is missing or is not a text. */
  text(name: string): string;
  /** The value as typed, for passwords. */
  raw(name: string): string;
  /** All values of a field that may appear several times. */
  all(name: string): readonly string[];
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
    all(name) {
      const value = given(name);
      return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
    },
    has: (name) => given(name) !== undefined,
  };
}
