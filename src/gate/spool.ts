import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SpooledBody } from './forward-body.ts';

/** One read of the file at a time. */
const READ_BYTES = 65_536;

/**
 * Keeps a body that is too large for memory in a file without a name: it is unlinked as soon as it is open, so that nothing
 * is left of it when it is closed or the process dies. Only this user can read it.
 */
export class Spool {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #size = 0;

  /** @throws Error when the folder for temporary files cannot be written. */
  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `gatekeeper-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new Spool(file);
  }

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  get size(): number {
    return this.#size;
  }

  async write(piece: Buffer): Promise<void> {
    this.#hash.update(piece);
    let written = 0;
    while (written < piece.length) {
      const { bytesWritten } = await this.#file.write(
        piece,
        written,
        piece.length - written,
        this.#size + written,
      );
      written += bytesWritten;
    }
    this.#size += piece.length;
  }

  /** What was written, whole. Nothing may be written any more. */
  finish(): SpooledBody {
    const lengthBytes = this.#size;
    return {
      lengthBytes,
      sha256: this.#hash.digest('hex'),
      open: () => Readable.from(this.pieces(), { objectMode: false }),
      toBuffer: async () => {
        const bytes = Buffer.allocUnsafe(lengthBytes);
        let at = 0;
        for await (const piece of this.pieces()) at += piece.copy(bytes, at);
        return bytes;
      },
    };
  }

  async *pieces(): AsyncGenerator<Buffer, void, void> {
    for (let at = 0; at < this.#size; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0) throw new Error('A spooled body ended early.');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
