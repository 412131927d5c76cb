import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** How the items of a set are read from its files. `text` is kept as it is. */
export const SET_FORMATS = ['lines', 'csv', 'json', 'text'] as const;

/** A public set of `data/evaluation-sets.yaml`. */
export interface PublicSet {
  /** The name of the file that the evaluation reads. */
  readonly file: string;
  readonly repository: string;
  readonly commit: string;
  /** In the order of their content. */
  readonly urls: readonly string[];
  readonly format: (typeof SET_FORMATS)[number];
  /** json: the key of each object; csv: the number of the column, from 1. */
  readonly at: string | number | null;
  /** Of the content as the evaluation reads it; see `contentOf`. */
  readonly sha256: string;
  readonly licence: string;
  readonly what: string;
}

const CATALOGUE = fileURLToPath(new URL('../../data/evaluation-sets.yaml', import.meta.url));

export function readCatalogue(): readonly PublicSet[] {
  return parseCatalogue(readFileSync(CATALOGUE, 'utf8'));
}

/** @throws {Error} that names the entry and what is wrong with it. */
export function parseCatalogue(text: string): readonly PublicSet[] {
  const { base, sets } = parse(text) as { base: unknown; sets: Record<string, Record<string, unknown>> };
  if (typeof base !== 'string' || !/^https?:\/\/[^/]/.test(base)) throw new Error('base is not an address');
  return Object.entries(sets).map(([file, entry]) => {
    const fail = (what: string): never => {
      throw new Error(`${file}: ${what}`);
    };
    const textOf = (key: string, pattern: RegExp): string => {
      const value = entry[key];
      return typeof value === 'string' && pattern.test(value) ? value : fail(`${key} is missing or invalid`);
    };
    if (!/^[a-z0-9-]+\.(txt|yml)$/.test(file)) fail('not a plain file name');
    const repository = textOf('repository', /^[\w.-]+\/[\w.-]+$/);
    const commit = textOf('commit', /^[0-9a-f]{7,40}$/);
    const { paths, at } = entry;
    if (!Array.isArray(paths) || paths.length === 0) fail('paths is not a list');
    const format = SET_FORMATS.find((one) => one === entry.format) ?? fail('format is unknown');
    const isPlaced = format === 'csv' ? Number.isInteger(at) && Number(at) > 0 : typeof at === 'string';
    if ((format === 'csv' || format === 'json') && !isPlaced) fail(`at does not fit ${format}`);
    return {
      file,
      repository,
      commit,
      format,
      urls: (paths as readonly string[]).map((path) => `${base}/${repository}/${commit}/${path}`),
      at: typeof at === 'string' || typeof at === 'number' ? at : null,
      sha256: textOf('sha256', /^[0-9a-f]{64}$/),
      licence: textOf('licence', /./),
      what: textOf('what', /./),
    };
  });
}
