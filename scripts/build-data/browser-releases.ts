import type { BrowserReleasesFile } from '../../src/datasets/device-datasets.ts';
import type { BuiltSet } from './built-set.ts';
import { npmPackage, readJson } from './npm-package.ts';

/** The browsers whose age the device processor judges, by MDN's names. */
const BROWSERS = [
  'chrome',
  'chrome_android',
  'edge',
  'firefox',
  'firefox_android',
  'ie',
  'opera',
  'opera_android',
  'safari',
  'safari_ios',
  'samsunginternet_android',
  'webview_android',
] as const;

interface BrowserCompatData {
  readonly __meta: { readonly timestamp: string };
  readonly browsers: Readonly<Record<string, { readonly releases: Readonly<Record<string, Release>> }>>;
}

interface Release {
  readonly release_date?: string;
  readonly status: string;
}

const DAY_MS = 86_400_000;

/**
 * The first release of each major version. Versions that were only planned when the table was made are left out: their
 * dates change, and a browser that is newer than the table is not suspicious.
 */
export function buildBrowserReleases(): BuiltSet {
  const { name, version, folder } = npmPackage('@mdn/browser-compat-data');
  const data = readJson<BrowserCompatData>({ name, version, folder }, 'data.json');
  const asOf = toDay(data.__meta.timestamp);
  const browsers = Object.fromEntries(
    BROWSERS.map((browser) => [browser, firstReleases(data.browsers[browser]?.releases ?? {}, asOf)]),
  );
  const file: BrowserReleasesFile = { asOf, browsers };
  const count = Object.values(browsers).reduce((sum, releases) => sum + releases.length, 0);
  return {
    name: 'browsers',
    files: { 'browsers.json': new TextEncoder().encode(JSON.stringify(file)) },
    sources: [{ name, version, licence: 'CC0-1.0', count, date: data.__meta.timestamp.slice(0, 10) }],
    entries: count,
  };
}

function firstReleases(releases: Readonly<Record<string, Release>>, asOf: number): [number, number][] {
  const days = new Map<number, number>();
  for (const [version, { release_date: date }] of Object.entries(releases)) {
    const major = Number.parseInt(version, 10);
    if (date === undefined || !Number.isInteger(major)) continue;
    // "≤37" and the like are unknown first versions; parseInt already refused them.
    const day = toDay(date);
    if (day <= asOf) days.set(major, Math.min(day, days.get(major) ?? day));
  }
  return [...days].sort(([a], [b]) => a - b);
}

function toDay(date: string): number {
  return Math.floor(Date.parse(date) / DAY_MS);
}
