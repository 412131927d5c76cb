import { readFileSync, writeFileSync } from 'node:fs';
import type { DataSource } from './npm-package.ts';

/** The last accepted state of one package. */
export interface BaselineEntry {
  readonly version: string;
  /** The ISO 8601 date on which that version was published. Packages do not contain it. */
  readonly date: string;
  readonly count: number;
}

/** By the name of the source. */
export type Baseline = Readonly<Record<string, BaselineEntry>>;

/** If a list lost more than a fifth, its maintainer or this project broke it. A person must look before the release. */
const MAX_LOSS = 0.2;

export function readBaseline(file: string): Baseline {
  return JSON.parse(readFileSync(file, 'utf8')) as Baseline;
}

export function writeBaseline(file: string, baseline: Baseline): void {
  const sorted = Object.fromEntries(Object.entries(baseline).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** One sentence for each source that shrank too far, is empty, or is not in the baseline. */
export function baselineMistakes(sources: readonly DataSource[], baseline: Baseline): string[] {
  return sources.flatMap(({ name, version, count }) => {
    const known = baseline[name];
    if (count === 0) return [`${name} ${version} has no entries.`];
    if (!known) return [`${name} ${version} (${count} entries) is not in the baseline.`];
    if (count >= known.count * (1 - MAX_LOSS)) return [];
    return [
      `${name} ${version} has ${count} entries; ${known.version} had ${known.count}. It shrank by more than a fifth.`,
    ];
  });
}

/** The date of the source: exact for the version in the baseline, else the last known date of the package. */
export function dateOf({ name, date }: DataSource, baseline: Baseline): string {
  return date ?? baseline[name]?.date ?? 'unknown';
}
