/**
 * The browser engine that a user agent claims. The engine decides which headers a real browser sends, and how the age
 * of its version is computed.
 */
export type Engine = 'chromium' | 'gecko' | 'webkit' | 'edgehtml' | 'trident' | 'presto';

export type Platform = 'windows' | 'macos' | 'ios' | 'android' | 'chromeos' | 'linux';

/** The claims of a user agent, read from its text only. */
export interface ClaimedBrowser {
  /** Null when the user agent claims no known engine. */
  readonly engine: Engine | null;
  /** Major version of the engine's browser: Chromium's, Firefox's, Safari's. Null when missing. */
  readonly major: number | null;
  /**
   * Null when the platform is missing, or when a browser names several on purpose (Windows Phone also names Android).
   */
  readonly platform: Platform | null;
  /** The first comment, which names the platform: `Windows NT 10.0; Win64; x64`. Empty when there is no comment. */
  readonly comment: string;
}

/** Reads the product tokens (RFC 9110 section 10.1.5) that decide engine, version and platform. */
export function readClaimedBrowser(text: string): ClaimedBrowser {
  const comment = firstComment(text);
  const platform = platformOf(comment);
  return { ...engineOf(text, platform), platform, comment };
}

function engineOf(text: string, platform: Platform | null): Pick<ClaimedBrowser, 'engine' | 'major'> {
  if (/\b(?:MSIE|Trident)\b/.test(text)) return { engine: 'trident', major: null };
  // EdgeHTML ended with version 18 in 2019. From version 79 on, Edge is Chromium and writes `Edg/`.
  if (/\bEdge\/\d/.test(text)) return { engine: 'edgehtml', major: majorIn(text, /\bEdge\/(\d+)/) };
  if (/^Opera\/|\bPresto\//.test(text)) return { engine: 'presto', major: null };
  const chromium = majorIn(text, /\b(?:Chrome|Chromium)\/(\d+)/);
  if (chromium !== null) return { engine: 'chromium', major: chromium };
  // Every browser on iOS uses WebKit, whatever its name and version.
  if (platform !== 'ios' && /\bGecko\/|\bFirefox\//.test(text)) {
    return { engine: 'gecko', major: majorIn(text, /\bFirefox\/(\d+)/) };
  }
  if (/\bAppleWebKit\//.test(text)) return { engine: 'webkit', major: majorIn(text, /\bVersion\/(\d+)/) };
  return { engine: null, major: null };
}

function platformOf(comment: string): Platform | null {
  if (/Windows Phone|Windows IoT|Tizen|Web0S/.test(comment)) return null;
  if (/\bWindows\b/.test(comment)) return 'windows';
  if (/\bAndroid\b/.test(comment)) return 'android';
  if (/^(?:iPhone|iPad|iPod)/.test(comment)) return 'ios';
  if (/^Macintosh/.test(comment)) return 'macos';
  if (/\bCrOS\b/.test(comment)) return 'chromeos';
  return /\bLinux\b|\bX11\b/.test(comment) ? 'linux' : null;
}

/** Reads up to the bracket that closes the first comment. Comments may be nested (RFC 9110 section 5.6.5). */
function firstComment(text: string): string {
  const start = text.indexOf('(');
  if (start === -1) return '';
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return text.slice(start + 1, index);
  }
  return text.slice(start + 1);
}

function majorIn(text: string, pattern: RegExp): number | null {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
