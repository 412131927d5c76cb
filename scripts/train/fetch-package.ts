import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A package as it was when the model was trained. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** As in a lock file: `sha512-` and base64. */
  readonly integrity: string;
}

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/gatekeeper-train/', import.meta.url));

/**
 * The text files of a package that training needs and nothing else does. It is packed, not installed: no script of it
 * runs, and no dependency of it comes along. Kept in `node_modules/.cache`.
 *
 * @returns Contents by path within the package.
 * @throws {Error} when the registry gives other bytes than the pinned ones.
 */
export async function fetchPackage(pinned: PinnedPackage): Promise<ReadonlyMap<string, string>> {
  const folder = join(cache, `${pinned.name.replace(/\W+/g, '-')}-${pinned.version}`);
  if (!existsSync(join(folder, 'package'))) await download(pinned, folder);
  const files = new Map<string, string>();
  const root = join(folder, 'package');
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(json|js|md|csv)$/.test(path))
      files.set(path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8'));
  }
  return files;
}

async function download({ name, version, integrity }: PinnedPackage, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run(
    'npm',
    ['pack', `${name}@${version}`, '--json', '--pack-destination', folder],
    {
      cwd: folder,
    },
  );
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  if (!packed) throw new Error(`npm pack gave no file for ${name}@${version}`);
  const file = join(folder, packed.filename.replace('@', '').replaceAll('/', '-'));
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} is ${found}, but ${integrity} is pinned`);
  await run('tar', ['xzf', file, '-C', folder]);
}
