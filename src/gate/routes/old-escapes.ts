/** Two to six bytes for one ASCII character. */
const OVERLONG = /%(c[01]|(?:e0|f0%80|f8%80%80|fc%80%80%80)%8[01])%([89ab][0-9a-f])/gi;

/** Decodes `%u0073` of old IIS, and longer spellings of ASCII that UTF-8 forbids (RFC 3629 section 10). */
export function decodeOldEscapes(path: string): string {
  return path
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(OVERLONG, (_, lead: string, trail: string) =>
      String.fromCharCode((Number(lead.at(-1)) << 6) | (Number.parseInt(trail, 16) & 0x3f)),
    );
}
