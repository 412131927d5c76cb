import type { EvidenceFields } from '../../assessment/evidence-fields.ts';
import type { BrowserReleases, DeviceDatasets } from '../../datasets/datasets.ts';
import type { ClaimedBrowser } from './claimed-browser.ts';

/** The age of the claimed version, from the table of releases. */
export interface ClaimedRelease {
  /** `Chrome 49`. */
  readonly name: string;
  readonly fields: Pick<EvidenceFields, 'browser' | 'version'>;
  /**
   * The time at which the next version replaced it, in milliseconds since the epoch. Until then it received updates; a
   * version of Safari receives them for a year. For the newest known version, this is its own release date.
   */
  readonly replacedAt: number;
  /** The number of versions by which it is ahead of the newest known version; 0 for a known version. */
  readonly versionsAhead: number;
  /** The time after `replacedAt` for which a browser may still be in use. Then it counts as outdated. */
  readonly patienceMs: number;
}

/** A claimed release; or that no such version exists; or null when nothing is known. */
export type ReleaseLookup = ClaimedRelease | 'never_released' | null;

const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;

/**
 * Five years: in 2026 this accepts the last versions for old devices (Chrome 106 on Android 6, Chrome 109 on Windows 7,
 * Safari 15 on an iPhone 6s), while most user agents in the lists of scripts are older.
 */
const PATIENCE_MS = 5 * YEAR_MS;

/**
 * Two kinds of browsers may have an old engine. Some makers keep an engine for years although their own version is
 * current (in 2026, Huawei's browser still sends Chrome 114). The others are WebViews inside applications.
 */
const SLOW_ENGINE =
  /\b(?:Huawei|Miui|UC|M?QQ|Vivo|HeyTap|Quark|Sogou\w*|LB|2345\w*|Yaani)\s?Browser|UBrowser|UCWEB|MetaSr|\bQIHU|\b360[SE]E|baidubox|MicroMessenger|\bTBS\/|\bXWEB|Puffin|SMART-TV|SmartTV|Tizen|Web0S|CrKey|PlayStation|Xbox|Nintendo|Tesla/i;
const SLOW_PATIENCE_MS = 8 * YEAR_MS;

/**
 * Chrome and Firefox have released a version every two weeks since late 2026 (MDN's table). Their previews come
 * earlier.
 */
const CADENCE_MS = 14 * DAY_MS;
const PREVIEWS_AHEAD = 6;

/** The last releases of discontinued engines, with dates from MDN and the makers. */
const ENDED: Readonly<
  Record<'trident' | 'edgehtml' | 'presto' | 'gecko' | 'webkit', readonly [string, number]>
> = {
  trident: ['Internet Explorer', Date.UTC(2013, 9, 17)],
  edgehtml: ['Edge before Chromium', Date.UTC(2019, 10, 12)],
  presto: ['Opera before Chromium', Date.UTC(2013, 6, 2)],
  gecko: ['Gecko before Firefox 4', Date.UTC(2011, 2, 22)],
  webkit: ['WebKit before 537', Date.UTC(2012, 8, 19)],
};

/** Looks up the claimed browser in the releases. The result does not depend on the time, so it can be cached. */
export function findRelease(text: string, claimed: ClaimedBrowser, device: DeviceDatasets): ReleaseLookup {
  switch (claimed.engine) {
    case 'chromium':
      return lookUp('Chrome', claimed.major, device.browsers.get('chrome'), text);
    case 'gecko': {
      if (claimed.major !== null && claimed.major >= 4) {
        return lookUp('Firefox', claimed.major, device.browsers.get('firefox'), text);
      }
      return /\brv:[01]\./.test(claimed.comment) ? ended('gecko') : null;
    }
    case 'webkit':
      return findWebkitRelease(text, claimed, device);
    case 'presto':
      // Opera Mini renders on Opera's servers; its newest versions still send Presto.
      return /Opera Mini\//.test(text) ? null : ended('presto');
    case 'trident':
    case 'edgehtml':
      return ended(claimed.engine);
    case null:
      return null;
  }
}

/** Whether the release was replaced so long ago that it counts as outdated. */
export function isOutdated(release: ClaimedRelease, now: number): boolean {
  return release.versionsAhead === 0 && now - release.replacedAt > release.patienceMs;
}

/** Whether the release is so new that even an old table of releases cannot explain it. */
export function isImpossiblyNew(release: ClaimedRelease, now: number): boolean {
  if (release.versionsAhead === 0) return false;
  const since = Math.max(0, now - release.replacedAt);
  return release.versionsAhead > PREVIEWS_AHEAD + Math.ceil(since / CADENCE_MS);
}

function findWebkitRelease(text: string, claimed: ClaimedBrowser, device: DeviceDatasets): ReleaseLookup {
  if (claimed.platform === 'ios') return findIosRelease(text, claimed, device);
  // `Version/4.0` on Android is the browser of Android 4 and before.
  if (claimed.platform === 'android' || /\bAppleWebKit\/(?:[1-4]?\d?\d|5[0-2]\d|53[0-6])\b/.test(text)) {
    return ended('webkit');
  }
  const release = lookUp('Safari', claimed.major, device.browsers.get('safari'), text);
  // WebKitGTK counts on its own: GNOME Web sends `Version/60.5` (WebKitGTK 2.50).
  const isNoSafari = release === 'never_released' || (release?.versionsAhead ?? 0) > 0;
  return claimed.platform === 'linux' && isNoSafari ? null : release;
}

function findIosRelease(text: string, claimed: ClaimedBrowser, device: DeviceDatasets): ReleaseLookup {
  const chrome = /\bCriOS\/(\d+)/.exec(text)?.[1];
  if (chrome !== undefined) return lookUp('Chrome', Number(chrome), device.browsers.get('chrome'), text);
  const releases = device.browsers.get('safari_ios');
  if (claimed.major !== null) return lookUp('Safari on iOS', claimed.major, releases, text);
  const system = /\bOS (\d+)_\d/.exec(claimed.comment)?.[1];
  // Since iOS 26, browsers send 18 as the version of the system, so it does not show the age.
  if (system === undefined || system === '18') return null;
  return lookUp('iOS', Number(system), releases, text);
}

function lookUp(
  browser: string,
  major: number | null,
  releases: BrowserReleases | undefined,
  text: string,
): ReleaseLookup {
  if (major === null || !releases || releases.versions.length === 0) return null;
  const { versions, releasedAt } = releases;
  const patienceMs = SLOW_ENGINE.test(text) ? SLOW_PATIENCE_MS : PATIENCE_MS;
  // The newest version in the table that is not newer than the claimed one. For a version older than the table, the
  // oldest one.
  let index = versions.findLastIndex((version) => version <= major);
  const next = versions[index + 1];
  if (index >= 0 && next !== undefined && isNeverReleased(major, versions[index] ?? 0, next)) {
    return 'never_released';
  }
  index = Math.max(0, index);
  const known = versions[index] ?? 0;
  const isNewest = index === versions.length - 1;
  return {
    name: `${browser} ${major}`,
    fields: { browser, version: major },
    replacedAt: releasedAt[isNewest ? index : index + 1] ?? 0,
    versionsAhead: isNewest ? Math.max(0, major - known) : 0,
    patienceMs,
  };
}

/** Safari jumped from 18 to 26. A gap of one proves nothing: Chrome 82 was skipped, but previews of it exist. */
function isNeverReleased(major: number, before: number, after: number): boolean {
  return major > before && after - before > 2;
}

function ended(engine: keyof typeof ENDED): ClaimedRelease {
  const [name, replacedAt] = ENDED[engine];
  return { name, fields: { browser: name }, replacedAt, versionsAhead: 0, patienceMs: PATIENCE_MS };
}
