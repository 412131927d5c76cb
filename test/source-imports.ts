import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));
export const src = join(root, 'src');
export const files = listFiles(src);
export const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** `npm test` compiles sources to JavaScript beside them; only the servers that are compared with are written in it. */
function isSource(path: string): boolean {
  return /\.tsx?$/.test(path) || (/\.js$/.test(path) && pathOf(path).startsWith('bench/yardsticks/'));
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return isSource(path) ? [path] : [];
  });
}

export interface Imports {
  readonly own: readonly string[];
  readonly vendors: readonly string[];
}

export function importsOf(file: string): Imports {
  const own: string[] = [];
  const vendors: string[] = [];
  const text = readFileSync(file, 'utf8');
  for (const [, specifier = ''] of [
    ...text.matchAll(/(?:^|\n)(?:import|export)\s(?:[^;'"=(]*?\sfrom\s)?'([^']+)'/g),
    ...text.matchAll(/\bimport\('([^'$]+)'\)/g),
  ]) {
    if (specifier.startsWith('.')) own.push(resolve(dirname(file), specifier));
    else if (specifier !== '' && !specifier.startsWith('node:')) vendors.push(vendorOf(specifier));
  }
  return { own, vendors };
}

function vendorOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function withoutComments(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

export function placeOf(file: string): string {
  return name(file).split('/')[0] ?? '';
}

export function name(file: string): string {
  return relative(src, file).replaceAll('\\', '/');
}

export function pathOf(file: string): string {
  return relative(root, file).replaceAll('\\', '/');
}
