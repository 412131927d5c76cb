import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  type Manifest,
  type ManifestSet,
  revisionOf,
} from '../../src/datasets/manifest.ts';
import { type Baseline, dateOf } from './baseline.ts';
import type { BuiltSet } from './built-set.ts';

/**
 * Writes all sets and their manifest. Every file is renamed into place, the manifest last, so that a process that
 * reads at the same time finds whole files. The same sets give the same bytes.
 */
export function writeDatasets(folder: string, sets: readonly BuiltSet[], baseline: Baseline): Manifest {
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    sets: sets.map((set) => describe(set, baseline)),
  };
  mkdirSync(folder, { recursive: true });
  for (const set of sets) {
    for (const [name, content] of Object.entries(set.files)) put(folder, name, content);
  }
  put(folder, MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
  removeOthers(folder, manifest);
  return manifest;
}

function describe(set: BuiltSet, baseline: Baseline): ManifestSet {
  const files = Object.entries(set.files).map(([name, content]) => ({
    name,
    sha256: hash('sha256', content, 'hex'),
  }));
  return {
    name: set.name,
    files,
    source: set.sources.map(({ name, version }) => `${name} ${version}`).join(', '),
    licence: [...new Set(set.sources.map((source) => source.licence))].join(', '),
    date:
      set.sources
        .map((source) => dateOf(source, baseline))
        .sort()
        .at(-1) ?? 'unknown',
    entries: set.entries,
    revision: revisionOf(files.map((file) => file.sha256).join('\n')),
  };
}

function put(folder: string, name: string, content: string | Uint8Array): void {
  const temporary = join(folder, `.${name}.${process.pid}`);
  writeFileSync(temporary, content);
  renameSync(temporary, join(folder, name));
}

/** Files of sets that are no longer made. Hidden ones may be another build's, under way. */
function removeOthers(folder: string, manifest: Manifest): void {
  const kept = new Set([
    MANIFEST_FILE,
    ...manifest.sets.flatMap((set) => set.files.map((file) => file.name)),
  ]);
  for (const name of readdirSync(folder)) {
    if (!kept.has(name) && !name.startsWith('.')) rmSync(join(folder, name));
  }
}
