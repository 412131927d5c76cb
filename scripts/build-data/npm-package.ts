import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed package with data. */
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
  /** The number of its entries. The baseline compares it. */
  readonly count: number;
  /** ISO 8601, where the source says itself how old it is. */
  readonly date?: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

/** Finds an installed package. Its files are read directly, because most of these packages do not export their data. */
export function npmPackage(name: string): NpmPackage {
  return packageIn(join(root, 'node_modules', name));
}

/** This project, as the source of data that it contains itself. */
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
