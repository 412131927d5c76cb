import { parseUserAgent } from './parse-user-agent.ts';
import { isMobileApplication, programIn } from './programs.ts';

/** Stored instead of a browser's name for a program or an application. */
export const PROGRAM = 'program';

/** Null when the user agent names no entry of the lists below. */
export interface BrowserDescription {
  readonly browser: string | null;
  readonly system: string | null;
}

/**
 * Display names by the names of the user agent library. The user agent is the sender's own text, so nothing else of it
 * is stored or shown.
 */
const BROWSERS: Readonly<Record<string, string>> = {
  Chrome: 'Chrome',
  Chromium: 'Chromium',
  'Chrome WebView': 'Chrome',
  'Android Browser': 'Android Browser',
  Firefox: 'Firefox',
  'Mobile Firefox': 'Firefox',
  'Firefox Focus': 'Firefox',
  Safari: 'Safari',
  'Mobile Safari': 'Safari',
  Edge: 'Edge',
  IE: 'Internet Explorer',
  Opera: 'Opera',
  'Opera GX': 'Opera',
  'Opera Mini': 'Opera',
  'Opera Mobi': 'Opera',
  'Opera Touch': 'Opera',
  'Samsung Internet': 'Samsung Internet',
  Brave: 'Brave',
  Vivaldi: 'Vivaldi',
  DuckDuckGo: 'DuckDuckGo',
  Yandex: 'Yandex',
  UCBrowser: 'UC Browser',
  'MIUI Browser': 'MIUI Browser',
  'Huawei Browser': 'Huawei Browser',
  Silk: 'Silk',
  Whale: 'Whale',
  Facebook: 'Facebook',
  Instagram: 'Instagram',
  TikTok: 'TikTok',
  WeChat: 'WeChat',
  Line: 'LINE',
};

const SYSTEMS: Readonly<Record<string, string>> = {
  Windows: 'Windows',
  'Mac OS': 'macOS',
  macOS: 'macOS',
  iOS: 'iOS',
  Android: 'Android',
  'Android-x86': 'Android',
  HarmonyOS: 'HarmonyOS',
  'Chrome OS': 'ChromeOS',
  'Chromium OS': 'ChromeOS',
  Linux: 'Linux',
  Ubuntu: 'Linux',
  Debian: 'Linux',
  Fedora: 'Linux',
  Arch: 'Linux',
  Mint: 'Linux',
};

/** The browser and the system of a request, in words of fixed lists. */
export function describeBrowser(userAgent: string | null): BrowserDescription {
  if (userAgent === null) return { browser: null, system: null };
  const { browser, system, botMatch } = parseUserAgent(userAgent);
  if (programIn(userAgent, botMatch) || isMobileApplication(userAgent)) {
    return { browser: PROGRAM, system: null };
  }
  return { browser: nameIn(BROWSERS, browser), system: nameIn(SYSTEMS, system) };
}

function nameIn(names: Readonly<Record<string, string>>, name: string | null): string | null {
  return name !== null && Object.hasOwn(names, name) ? (names[name] ?? null) : null;
}
