import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { HistoryError } from '../read-lines.ts';

/** How long an uploaded file can be simulated. */
export const KEPT_MS = 15 * 60_000;
export const MAX_FILE_BYTES = 50_000_000;
/** The limit for all files on this machine together. */
const MAX_FILES = 12;
const READ_BYTES = 65_536;
const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
/** A fixed nonce is safe here, since each file has its own key. */
const NONCE = Buffer.alloc(12);
/** The name contains the time at which the file expires, so every process can delete it. */
const NAME = /^gatekeeper-upload-(\d{13})-[\da-f-]{36}$/;
const TOKEN = /^(gatekeeper-upload-\d{13}-[\da-f-]{36})\.([\w-]{43})$/;

const GONE = `The uploaded file was deleted: each file is kept for ${KEPT_MS / 60_000} minutes. Upload it again.`;

/**
 * Writes the bytes encrypted to a file in the folder for temporary files, which every process of this machine can read.
 * Only the token contains its key, and it works only for this owner.
 * @returns the token.
 * @throws {HistoryError} when there are too many bytes or files. Errors of the source and the file system are thrown
 * unchanged.
 */
export async function sealFile(
  chunks: AsyncIterable<Buffer>,
  { owner, clock }: { readonly owner: string; readonly clock: Clock },
): Promise<string> {
  const now = clock();
  const kept = await deleteExpired(now);
  if (kept >= MAX_FILES) {
    throw new HistoryError('Too many files are being simulated. Try again in a quarter of an hour.');
  }
  const name = `gatekeeper-upload-${now + KEPT_MS}-${randomUUID()}`;
  const secret = randomBytes(32).toString('base64url');
  const path = join(tmpdir(), name);
  const file = await open(path, 'wx', 0o600);
  try {
    await writeSealed(file, chunks, keyOf(secret, owner));
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
  deleteLater(clock);
  return `${name}.${secret}`;
}

async function writeSealed(file: FileHandle, chunks: AsyncIterable<Buffer>, key: Buffer): Promise<void> {
  const cipher = createCipheriv(CIPHER, key, NONCE);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) {
      throw new HistoryError(
        `The file is larger than ${MAX_FILE_BYTES / 1_000_000} MB. Export fewer days, or only the columns time, email, ip_address, user_agent and label. Larger files are for “gatekeeper simulate”.`,
      );
    }
    await file.writeFile(cipher.update(chunk));
  }
  await file.writeFile(cipher.final());
  await file.writeFile(cipher.getAuthTag());
}

/**
 * Reads the bytes of a sealed file.
 * @throws {HistoryError} when the file was deleted, or belongs to another account.
 */
export async function* openSealed(token: string, owner: string): AsyncGenerator<Buffer> {
  const [, name, secret = ''] = TOKEN.exec(token) ?? [];
  if (name === undefined) throw new HistoryError(GONE);
  const file = await open(join(tmpdir(), name), 'r').catch(() => {
    throw new HistoryError(GONE);
  });
  try {
    const end = (await file.stat()).size - TAG_BYTES;
    const { buffer: tag } = await file.read(Buffer.alloc(TAG_BYTES), 0, TAG_BYTES, end);
    const decipher = createDecipheriv(CIPHER, keyOf(secret, owner), NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag);
    const last: Buffer[] = [];
    for (let at = 0; at < end; ) {
      const length = Math.min(READ_BYTES, end - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new HistoryError(GONE);
      at += bytesRead;
      const plain = decipher.update(buffer.subarray(0, bytesRead));
      // Whether the key is right is known only at the end. So the last bytes, and all bytes of a short file, are used
      // only after that; a longer file with another key yields random bytes first.
      if (at >= end) last.push(plain);
      else yield plain;
    }
    try {
      decipher.final();
    } catch {
      throw new HistoryError(GONE);
    }
    yield* last;
  } finally {
    await file.close();
  }
}

/** Deletes a file before its time. A token without a file has no effect. */
export async function dropSealed(token: string): Promise<void> {
  const [, name] = TOKEN.exec(token) ?? [];
  if (name !== undefined) await unlink(join(tmpdir(), name)).catch(() => {});
}

/** Deletes expired files that an ended process left. To be called at the start of a process. */
export function deleteLeftFiles(clock: Clock): void {
  void deleteExpired(clock()).catch(() => {});
  deleteLater(clock);
}

function deleteLater(clock: Clock): void {
  setTimeout(() => void deleteExpired(clock()).catch(() => {}), KEPT_MS + 1_000).unref();
}

/** @returns the number of files that are kept. */
async function deleteExpired(now: number): Promise<number> {
  let kept = 0;
  for (const name of await readdir(tmpdir())) {
    const [, expiresAt] = NAME.exec(name) ?? [];
    if (expiresAt === undefined) continue;
    if (Number(expiresAt) > now) kept++;
    else await unlink(join(tmpdir(), name)).catch(() => {});
  }
  return kept;
}

function keyOf(secret: string, owner: string): Buffer {
  return createHash('sha256').update(`${secret} ${owner}`).digest();
}
