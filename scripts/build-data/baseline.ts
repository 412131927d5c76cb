import { readFileSync, writeFileSync } from 'node:fs';
import type { DataSource } from './npm-package.ts';

/** What the build last agreed to take from one package. */
export interface BaselineEntry {
  readonly version: string;
  /** ISO 8601 date on which that version was published. Packages do not say it themselves. */
  readonly date: string;
  readonly count: number;
}

/** By the name of the source. */
export type Baseline = Readonly<Record<string, BaselineEntry>>;

/** A list that lost more than a fifth was broken by its maintainer or by us; both want a look before they ship. */
const MAX_LOSS = 0.2;

export function readBaseline(file: string): Baseline {
  return JSON.parse(readFileSync(file, 'utf8')) as Baseline;
}

export function writeBaseline(file: string, baseline: Baseline): void {
  const sorted = Object.fromEntries(Object.entries(baseline).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** What is wrong with the sources: one sentence for each that shrank too far, is empty, or is not known yet. */
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

/** When the source was published: exact for the version of the baseline, else the last date known of the package. */
export function dateOf({ name, date }: DataSource, baseline: Baseline): string {
  return date ?? baseline[name]?.date ?? 'unknown';
}
