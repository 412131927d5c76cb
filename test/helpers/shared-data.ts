import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Public data beside the project, never part of it. Its own SOURCES.md names repositories, commits and licences. */
const FOLDER = process.env.GATEKEEPER_SHARED_DATA
  ? resolve(process.env.GATEKEEPER_SHARED_DATA)
  : fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../testdata/public-data/', import.meta.url));

export interface SharedData<T> {
  readonly content: T;
  /** A few cases of our own: too few for what a test expects of the whole set's size. */
  readonly isSample: boolean;
}

/** The text of a public data set; where it is missing, of the sample with its name, and one line of output says so. */
export function sharedText(name: string): SharedData<string> {
  const path = join(FOLDER, name);
  const isSample = !existsSync(path);
  if (isSample) process.stderr.write(`${path} is missing: a sample is used in its place.\n`);
  return { content: readFileSync(isSample ? join(SAMPLES, name) : path, 'utf8'), isSample };
}

/** Its lines that are neither empty nor comments. */
export function sharedLines(name: string): SharedData<readonly string[]> {
  const { content, isSample } = sharedText(name);
  return { content: content.split('\n').filter((line) => line !== '' && !line.startsWith('#')), isSample };
}

/** A set in JSON, of the type that its file is known to have. */
export function sharedJson<T>(name: string): SharedData<T> {
  const { content, isSample } = sharedText(name);
  return { content: JSON.parse(content) as T, isSample };
}
