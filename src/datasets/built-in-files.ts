import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_FILE, type Manifest, type ManifestFile, parseManifest } from './manifest.ts';

/** The files of `npm run build`, read completely and checked for damage. */
export interface BuiltInFiles {
  readonly manifest: Manifest;
  /**
   * Converts a file's content, which begins at the start of its buffer. Throws an Error with the name of the file when
   * the file is missing, or when `read` finds another version.
   */
  read<Made>(name: string, read: (content: ArrayBuffer) => Made): Made;
  /** The number of entries of a set, from the manifest. */
  entriesOf(set: string): number;
}

/** Throws an Error that names the file and the remedy when a file is missing, unreadable or damaged. */
export async function readBuiltInFiles(folder: string): Promise<BuiltInFiles> {
  const manifest = await readManifest(join(folder, MANIFEST_FILE));
  const files = manifest.sets.flatMap((set) => set.files);
  const read = await Promise.all(
    files.map(async (file) => [file.name, await readVerified(folder, file)] as const),
  );
  const contents = new Map(read);
  return {
    manifest,
    read(name, read) {
      const content = contents.get(name);
      if (!content) throw damaged(join(folder, MANIFEST_FILE), `it does not name ${name}`);
      try {
        return read(content);
      } catch (cause) {
        throw damaged(join(folder, name), `it ${messageOf(cause)}`, cause);
      }
    },
    entriesOf: (set) => manifest.sets.find(({ name }) => name === set)?.entries ?? 0,
  };
}

async function readManifest(path: string): Promise<Manifest> {
  const text = await readWhole(path);
  try {
    return parseManifest(new TextDecoder().decode(text));
  } catch (cause) {
    throw damaged(path, messageOf(cause), cause);
  }
}

async function readVerified(folder: string, file: ManifestFile): Promise<ArrayBuffer> {
  const path = join(folder, file.name);
  const content = await readWhole(path);
  if (hash('sha256', content, 'hex') !== file.sha256) throw damaged(path, 'its checksum is wrong');
  // Typed arrays must start at an aligned position. The buffer pool for small files does not guarantee this.
  if (content.byteOffset === 0 && content.byteLength === content.buffer.byteLength) return content.buffer;
  return new Uint8Array(content).buffer;
}

async function readWhole(path: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw damaged(path, 'it cannot be read', cause);
  }
}

function damaged(path: string, why: string, cause?: unknown): Error {
  return new Error(
    `The built-in data file ${path} is missing or damaged: ${why}. Run \`npm run build\` in a checkout, or reinstall the package.`,
    { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
