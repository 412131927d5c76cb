/** In the order of asking: each later one is named by earlier ones too. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Enough to know one's own sessions apart: `Firefox on Linux`. Nothing of the header itself is repeated. */
export function describeBrowser(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const browser = BROWSERS.find(([, sign]) => sign.test(text))?.[0] ?? 'Another browser';
  const system = SYSTEMS.find(([, sign]) => sign.test(text))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
