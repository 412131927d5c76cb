import type { BuiltInFiles } from './built-in-files.ts';
import type { BrowserReleases, DeviceDatasets } from './datasets.ts';

/** The format of `scripts/build-data/browser-releases.ts`: `[major version, day of release]`, ascending. */
export interface BrowserReleasesFile {
  /** The date of the table, in days since the epoch. All dates in the table have this unit. */
  readonly asOf: number;
  readonly browsers: Readonly<Record<string, readonly (readonly [version: number, day: number])[]>>;
}

const DAY_MS = 86_400_000;

export function loadDeviceDatasets(files: BuiltInFiles): DeviceDatasets {
  return files.read('browsers.json', (content) => {
    const { asOf, browsers } = JSON.parse(new TextDecoder().decode(content)) as BrowserReleasesFile;
    const releases = Object.entries(browsers).map(([name, rows]): [string, BrowserReleases] => [
      name,
      { versions: rows.map(([version]) => version), releasedAt: rows.map(([, day]) => day * DAY_MS) },
    ]);
    return { browsers: new Map(releases), asOf: asOf * DAY_MS };
  });
}
