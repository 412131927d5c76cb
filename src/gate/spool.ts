import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type BodyBudget, noRoom } from './body-budget.ts';
import type { SpooledBody } from './forward-body.ts';

/** One read of the file at a time. */
const READ_BYTES = 65_536;
/** So much room is taken at once, as a body grows: who only says that it will be large takes none. */
const ROOM_BYTES = 1_048_576;
/** Of a body that is held until its sender verifies: it is copied and sealed. */
const COPIES = 3;

export interface SpoolDependencies {
  /** What all files may take together. */
  readonly files: BodyBudget;
  /** What all bodies in memory may take together. */
  readonly memory: BodyBudget;
  /** The folder for temporary files cannot be written, or is full. Called for each body. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Keeps a body that is too large for memory in a file without a name: it is unlinked as soon as it is open, so that nothing
 * is left of it when it is closed or the process dies. Only this user can read it.
 */
export class Spool {
  readonly #file: FileHandle;
  readonly #parts: SpoolDependencies;
  readonly #hash = createHash('sha256');
  readonly #held: (() => void)[] = [];
  #roomBytes = 0;
  #size = 0;

  /** @throws {ProblemError} `overloaded` when the folder for temporary files cannot be written. */
  static async open(parts: SpoolDependencies): Promise<Spool> {
    const path = join(tmpdir(), `gatekeeper-${randomUUID()}`);
    try {
      const file = await open(path, 'wx+', 0o600);
      try {
        await unlink(path);
      } catch (error) {
        await file.close();
        throw error;
      }
      return new Spool(file, parts);
    } catch (error) {
      parts.onFailure(error);
      throw noRoom(error);
    }
  }

  private constructor(file: FileHandle, parts: SpoolDependencies) {
    this.#file = file;
    this.#parts = parts;
  }

  get size(): number {
    return this.#size;
  }

  /** @throws {ProblemError} `overloaded` when there is no room; then nothing of the piece is kept. */
  async write(piece: Buffer): Promise<void> {
    while (this.#size + piece.length > this.#roomBytes) {
      this.#take(this.#parts.files, ROOM_BYTES);
      this.#roomBytes += ROOM_BYTES;
    }
    try {
      await this.#writeWhole(piece);
    } catch (error) {
      this.#parts.onFailure(error);
      throw noRoom(error);
    }
    this.#hash.update(piece);
    this.#size += piece.length;
  }

  async #writeWhole(piece: Buffer): Promise<void> {
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
  }

  #take(room: BodyBudget, bytes: number): void {
    const giveBack = room.take(bytes);
    if (!giveBack) throw noRoom();
    this.#held.push(giveBack);
  }

  /** What was written, whole. Nothing may be written any more. */
  finish(): SpooledBody {
    const lengthBytes = this.#size;
    return {
      lengthBytes,
      sha256: this.#hash.digest('hex'),
      open: () => Readable.from(this.pieces(), { objectMode: false }),
      toBuffer: async () => {
        this.#take(this.#parts.memory, lengthBytes * COPIES);
        const bytes = Buffer.allocUnsafe(lengthBytes);
        let at = 0;
        for await (const piece of this.pieces()) at += piece.copy(bytes, at);
        return bytes;
      },
    };
  }

  async *pieces(): AsyncGenerator<Buffer, void, void> {
    for (let at = 0; at < this.#size; ) {
      // A piece that could not be written whole may stand behind the end.
      const length = Math.min(READ_BYTES, this.#size - at);
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('A spooled body ended early.');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Gives all room back. */
  close(): Promise<void> {
    for (const giveBack of this.#held.splice(0)) giveBack();
    return this.#file.close();
  }
}
