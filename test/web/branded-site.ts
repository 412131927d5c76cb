import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import type { SiteConfig } from '../../src/config/config.ts';
import { openSite, type Site } from '../../src/web/site.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

interface Changes extends Partial<Omit<SiteConfig, 'logo'>> {
  /** The content of the file. */
  readonly logo?: string | Buffer | null;
}

/** A site with a name, a logo, a colour that needs dark text, and a contact. */
export async function brandedSite(t: ExecutionContext, changes: Changes = {}): Promise<Site> {
  return openSite(brandedConfig(t, changes));
}

export function brandedConfig(t: ExecutionContext, { logo = LOGO, ...changes }: Changes = {}): SiteConfig {
  return {
    ...{ name: 'Acme & Söhne', colour: '#ffcc00', contact: 'help@acme.example', texts: {} },
    logo: logo === null ? null : fileWith(t, logo),
    ...changes,
  };
}

export function fileWith(t: ExecutionContext, content: string | Buffer): string {
  const path = join(temporaryFolder(t), 'logo');
  writeFileSync(path, content);
  return path;
}

/** A picture of one colour, as PNG. */
export function pngOf(
  width: number,
  height: number,
  [red, green, blue]: readonly [number, number, number],
): Buffer {
  const line = [0, ...Array.from({ length: width }, () => [red, green, blue]).flat()];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.from(Array.from({ length: height }, () => line).flat()));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const LOGO = pngOf(120, 40, [30, 30, 120]);
