import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Styles and scripts, read once at the start. */
export interface StaticFiles {
  find(name: string): StaticFile | null;
  /** The URL of a file. It changes with the content, so that browsers may cache the file without a limit. */
  urlOf(name: string): string;
}

interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
  readonly version: string;
}

const FOLDER = fileURLToPath(new URL('static/', import.meta.url));
const TOKENS_FILE = fileURLToPath(new URL('../web/style/tokens.css', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Unchanged files of packages. */
const VENDOR_FILES = ['uplot/dist/uPlot.iife.min.js', 'uplot/dist/uPlot.min.css'];

export function loadStaticFiles(): StaticFiles {
  const require = createRequire(import.meta.url);
  const own = readdirSync(FOLDER).map((name) => [name, join(FOLDER, name)] as const);
  const vendor = VENDOR_FILES.map(
    (path) => [path.slice(path.lastIndexOf('/') + 1), require.resolve(path)] as const,
  );
  const files = new Map<string, StaticFile>();
  for (const [name, path] of [['tokens.css', TOKENS_FILE] as const, ...own, ...vendor]) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const content = readFileSync(path);
    files.set(name, { type, content, version: hash('sha256', content).slice(0, 12) });
  }
  return {
    find: (name) => files.get(name) ?? null,
    urlOf(name) {
      const file = files.get(name);
      if (!file) throw new TypeError(`the static file ${name} does not exist`);
      return `/static/${name}?v=${file.version}`;
    },
  };
}
