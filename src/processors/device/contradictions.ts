import type { ClaimedBrowser } from './claimed-browser.ts';

/**
 * Finds user agents that no browser ever sent: platforms that exclude each other, engines on platforms where they never
 * existed, impossible version numbers. Each rule names a spelling that the maker's documentation or release history
 * excludes, so no rule matches an unusual but real browser.
 * @returns the contradiction in words; null when the user agent has no contradiction.
 */
export function contradictionIn(text: string, claimed: ClaimedBrowser): string | null {
  return brokenSpelling(text) ?? impossiblePlatform(text, claimed) ?? impossibleBrowser(text, claimed);
}

/** Traces of templates, quotes and injections: a program with errors has built the text. */
function brokenSpelling(text: string): string | null {
  if (CONTROL_CHARACTER.test(text)) return 'contains control characters';
  if (/^user-agent\s*:/i.test(text)) return 'repeats the name of the header';
  if (/^["'`]|["'`]$/.test(text)) return 'is in quotes';
  if (/\$\{|\{\{|<\?|<script|%s\b|\[object |\bundefined\b/i.test(text)) {
    return 'contains code or an empty placeholder';
  }
  if (/'\)?\s*(?:OR|AND)\s|\bunion\s+select\b|\bsleep\s*\(/i.test(text))
    return 'contains an attack on databases';
  if (/^Mozilla\/5\.0(?: \([^()]*\))?$/.test(text) && NAMES_A_DESKTOP.test(text)) {
    return 'names a platform and no browser';
  }
  return null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them; a tab is allowed (RFC 9110).
const CONTROL_CHARACTER = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const NAMES_A_DESKTOP =
  /^Mozilla\/5\.0$|Windows NT (?!.*(?:MSIE|Trident))|Macintosh|X11; Linux|Linux; Android/;

/** All version numbers that Windows ever sent; Windows 11 sends 10.0. */
const WINDOWS_VERSIONS = new Set([
  '3.1',
  '3.5',
  '3.51',
  '4.0',
  '5.0',
  '5.01',
  '5.1',
  '5.2',
  '6.0',
  '6.1',
  '6.2',
  '6.3',
  '6.4',
  '10.0',
]);

/** A device runs only one of these systems. `Windows Phone` named Android and iPhone too, on purpose. */
const PLATFORMS = [
  /\bWindows NT\b/,
  /^Macintosh\b|; Macintosh\b/,
  /\b(?:iPhone|iPad|iPod)\b/,
  /\bAndroid\b/,
  /\bCrOS\b/,
];

function impossiblePlatform(text: string, { comment }: ClaimedBrowser): string | null {
  const windows = /\bWindows NT (\d+\.\d+)/.exec(text)?.[1];
  if (windows !== undefined && !WINDOWS_VERSIONS.has(windows))
    return 'a version of Windows that never existed';
  if (/Windows (?:Phone|IoT)/.test(comment)) return null;
  const platforms = PLATFORMS.filter((platform) => platform.test(comment)).length;
  return platforms > 1 ? 'several platforms at once' : null;
}

/**
 * Unlike other browsers, Chrome on iOS still sends its full version. In `user-agents` 2.1.198, all 357 real visitors
 * send it, and all 555 that do not send it ran on a Linux desktop. Later versions may change.
 */
const LAST_CRIOS_SEEN = 155;

function impossibleBrowser(text: string, claimed: ClaimedBrowser): string | null {
  const { engine, major, platform, comment } = claimed;
  if (engine === 'chromium') return impossibleChromium(text, claimed);
  const chromeOnIos = /\bCriOS\/(\d+)\.0\.0\.0\b/.exec(text)?.[1];
  if (chromeOnIos !== undefined && Number(chromeOnIos) <= LAST_CRIOS_SEEN)
    return 'Chrome on iOS without its build';
  if (engine === 'webkit' && platform === 'windows' && isSafariAfterFive(text, major)) {
    return 'Safari on Windows ended with version 5';
  }
  if (engine === 'edgehtml' && (platform === 'macos' || platform === 'linux' || platform === 'ios')) {
    return 'Edge before Chromium ran on Windows alone';
  }
  if (engine === 'trident' && /\bTrident\b/.test(text) && (platform === 'macos' || platform === 'linux')) {
    return 'Trident ran on Windows alone';
  }
  if (engine === 'gecko' && major !== null && isForeignRevision(text, major, comment)) {
    return 'the revision is not that of this Firefox';
  }
  return null;
}

function impossibleChromium(text: string, { platform, major }: ClaimedBrowser): string | null {
  if (major === null) return null;
  if (platform === 'ios') return 'Chrome on iOS spells itself CriOS';
  const webkit = /\bAppleWebKit\/(\d+)/.exec(text)?.[1];
  // Chromium has sent 537.36 since version 28. Xiaomi's browser sends 534.24 when it asks for desktop pages.
  if (major >= 28 && webkit !== undefined && Number(webkit) < 537 && !/MiuiBrowser/.test(text)) {
    return 'an engine older than this Chrome';
  }
  const edge = /\bEdg\/(\d+)/.exec(text)?.[1];
  if (edge !== undefined && Math.abs(Number(edge) - major) > 1) return 'an Edge of another Chromium';
  const build = /\bChrome\/\d+\.0\.(\d+)\.\d/.exec(text)?.[1];
  if (build !== undefined && isForeignBuild(Number(build), major))
    return 'a build that is not of this Chrome';
  return null;
}

/** Facebook ported WebKit to Windows (`osmeta`), and applications with QtWebKit send their own versions. */
function isSafariAfterFive(text: string, major: number | null): boolean {
  return major !== null && major > 5 && /\bSafari\//.test(text) && !/osmeta|Qt/.test(text);
}

/** `rv:` is Firefox's own version, but 109 from 110 to 119 (Mozilla bug 1805967). Forks count differently. */
function isForeignRevision(text: string, major: number, comment: string): boolean {
  const revision = /\brv:(\d+)\./.exec(comment)?.[1];
  if (revision === undefined || major < 5 || !/\bFirefox\/[\d.]+$/.test(text)) return false;
  return Number(revision) !== major && !(revision === '109' && major >= 110 && major <= 119);
}

/**
 * Build numbers of Chrome 10, 20 … 100. They only increase, so the build of each version is close to the line between
 * its neighbours (60 off at most). From 101 on, Chrome no longer sends the build.
 */
const CHROME_BUILDS = [0, 648, 1132, 1599, 2214, 2661, 3112, 3538, 3987, 4430, 4896];
const BUILD_TOLERANCE = 250;

function isForeignBuild(build: number, major: number): boolean {
  const before = CHROME_BUILDS[Math.floor(major / 10)];
  const after = CHROME_BUILDS[Math.floor(major / 10) + 1];
  // Browsers that shorten the version send 0.
  if (before === undefined || after === undefined || build === 0) return false;
  return Math.abs(build - (before + ((after - before) * (major % 10)) / 10)) > BUILD_TOLERANCE;
}
