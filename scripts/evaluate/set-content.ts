import { createHash } from 'node:crypto';
import type { PublicSet } from './set-catalogue.ts';

/**
 * What the evaluation reads of the downloaded files: one item on each line, each once, in their order.
 * @throws {Error} when a file does not have the format.
 */
export function contentOf(
  { format, at }: Pick<PublicSet, 'format' | 'at'>,
  files: readonly string[],
): string {
  if (format === 'text') return files.join('');
  const items = files.flatMap((file) => itemsOf(file, format, at));
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))]
    .map((item) => `${item}\n`)
    .join('');
}

function itemsOf(file: string, format: 'lines' | 'csv' | 'json', at: PublicSet['at']): readonly string[] {
  if (format === 'json') return textsOf(JSON.parse(file), String(at));
  if (format === 'lines') return file.split('\n').map((line) => line.replace(/(?:^|\s)#.*/, ''));
  const lines = file.split('\n').filter((line) => !line.startsWith('#'));
  const column = Number(at) - 1;
  const cells = lines.map((line) => line.split(',')[column]?.trim().toLowerCase() ?? '');
  // The first line has the names of the columns.
  return cells.filter((cell) => /[.:]/.test(cell));
}

function textsOf(list: unknown, key: string): readonly string[] {
  if (!Array.isArray(list)) throw new Error('not a list of objects');
  return list.flatMap((entry: Readonly<Record<string, unknown>>) => {
    const value = entry?.[key] ?? [];
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    return texts.filter((text): text is string => typeof text === 'string');
  });
}

/** The hash in the catalogue: of the sorted lines, because the order of a set says nothing. */
export function hashOf({ format }: Pick<PublicSet, 'format'>, content: string): string {
  const hash = createHash('sha256');
  if (format === 'text') return hash.update(content).digest('hex');
  const lines = content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  for (const line of [...new Set(lines)].sort()) hash.update(`${line}\n`);
  return hash.digest('hex');
}
