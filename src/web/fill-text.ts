/** Puts values where a text has `{name}`. The text is ours; what is put in is not looked at again. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
