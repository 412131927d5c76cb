/** Text that some reader drops from names. Nearly every name has none of it. */
const MAY_BE_SHORTER = /\0|%00|\\u0000/;
/** Total.js drops these from a body before it parses the body: `em\u0000ail` is `email`. */
const NUL = /\0|%00|\\u0000/g;

/** Other readings of a name, without the text that some readers drop. */
export function shorterReadings(name: string): readonly string[] {
  if (!MAY_BE_SHORTER.test(name)) return NO_READINGS;
  const readings = [name.replace(NUL, ''), unescapedAgain(name)];
  return readings.filter((reading) => reading !== name);
}

const NO_READINGS: readonly string[] = [];

/** In JSON, half of an escaped backslash may stay, and begin another escape: `"\\u0000u0065mail"` is `email`. */
function unescapedAgain(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    const text: unknown = JSON.parse(JSON.stringify(name).replace(NUL, ''));
    return typeof text === 'string' ? text : name;
  } catch {
    return name;
  }
}
