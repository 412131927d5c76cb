/** Replaces each `{name}` in a text with its value. Placeholders inside a value are not replaced. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
