import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed package that data is read from. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** What a data set was made from. */
export interface DataSource {
  readonly name: string;
  readonly version: string;
  /** Of the data, SPDX. */
  readonly licence: string;
  /** How much it holds: watched by the baseline. */
  readonly count: number;
  /** ISO 8601, where the source says itself how old it is. */
  readonly date?: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

/** Finds an installed package. Reads its files directly: most of these export no data, or hide it behind code. */
export function npmPackage(name: string): NpmPackage {
  return packageIn(join(root, 'node_modules', name));
}

/** This project: for what was written down here. */
export function ownPackage(): NpmPackage {
  return packageIn(root);
}

export function readJson<Shape>(source: NpmPackage, file: string): Shape {
  return JSON.parse(readFileSync(join(source.folder, file), 'utf8')) as Shape;
}

export function readLines(source: NpmPackage, file: string): string[] {
  return readFileSync(join(source.folder, file), 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Runs a CommonJS file of the package and gives what it exports. */
export function requireFrom<Shape>(source: NpmPackage, file: string): Shape {
  return require(join(source.folder, file)) as Shape;
}

function packageIn(folder: string): NpmPackage {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as NpmPackage;
  return { name, version, folder };
}
