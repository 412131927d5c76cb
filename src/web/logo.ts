import { readFile, stat } from 'node:fs/promises';

/** The picture of a site. It is part of each page, so a page loads nothing. */
export interface Logo {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';
  readonly bytes: Buffer;
  /** The picture as a `data:` URL. */
  readonly url: string;
  /** Whether the picture has its own style for a dark background. Other pictures get a white background. */
  readonly knowsDark: boolean;
}

/** The limit is small, since the picture is part of every page, also of the pages that bots get. */
const MAX_BYTES = 32_768;

const SIGNATURES: readonly (readonly [type: Logo['type'], pattern: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  [
    'image/svg+xml',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE svg[^>[]*>\s*)*<svg[\s>]/i,
  ],
];

/** @throws Error that names the file and says what to change. */
export async function readLogo(path: string): Promise<Logo> {
  const problem = (because: string, cause?: unknown) =>
    new Error(`site.logo: ${path} ${because}.`, cause === undefined ? {} : { cause });
  let bytes: Buffer;
  try {
    const status = await stat(path);
    const { size } = status;
    // To read a pipe would wait for its writer.
    if (!status.isFile()) throw problem('is not a regular file');
    if (size > MAX_BYTES) {
      throw problem(
        `has ${size} bytes; make it at most ${MAX_BYTES / 1_024} KB, since every page contains it`,
      );
    }
    bytes = await readFile(path);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw problem(
      `cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
      error,
    );
  }
  const start = bytes.toString('latin1');
  const type = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
  if (!type) throw problem('is not a PNG, JPEG, GIF, WebP or SVG file');
  return {
    type,
    bytes,
    url: `data:${type};base64,${bytes.toString('base64')}`,
    knowsDark: type === 'image/svg+xml' && /prefers-color-scheme/.test(start),
  };
}
