import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type BodyBudget, noRoom } from './budgets.ts';
import type { SpooledBody } from './forward-body.ts';

/** The size of one read from the file. */
const READ_BYTES = 65_536;
/** A growing body reserves room in steps of this size: a sender that only announces a large body reserves none. */
const ROOM_BYTES = 1_048_576;
/** A body that is held for verification exists three times in memory: as received, as a copy, and sealed. */
const COPIES = 3;

export interface SpoolDependencies {
  /** The limit for all files together. */
  readonly files: BodyBudget;
  /** The limit for all bodies in memory together. */
  readonly memory: BodyBudget;
  /** Called for each body when the folder for temporary files is full or not writable. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Keeps a body that is too large for memory in an unnamed file. The file is unlinked as soon as it is open, so it
 * disappears when it is closed or the process ends. Only this user can read it.
 */
export class Spool {
  readonly #file: FileHandle;
  readonly #dependencies: SpoolDependencies;
  readonly #hash = createHash('sha256');
  readonly #held: (() => void)[] = [];
  #roomBytes = 0;
  #size = 0;

  /** @throws {ProblemError} `overloaded` when the folder for temporary files is not writable. */
  static async open(dependencies: SpoolDependencies): Promise<Spool> {
    const path = join(tmpdir(), `gatekeeper-${randomUUID()}`);
    try {
      const file = await open(path, 'wx+', 0o600);
      try {
        await unlink(path);
      } catch (error) {
        await file.close();
        throw error;
      }
      return new Spool(file, dependencies);
    } catch (error) {
      dependencies.onFailure(error);
      throw noRoom(error);
    }
  }

  private constructor(file: FileHandle, dependencies: SpoolDependencies) {
    this.#file = file;
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#size;
  }

  /** @throws {ProblemError} `overloaded` when no room is left; then the file has no byte of the piece. */
  async write(piece: Buffer): Promise<void> {
    while (this.#size + piece.length > this.#roomBytes) {
      this.#take(this.#dependencies.files, ROOM_BYTES);
      this.#roomBytes += ROOM_BYTES;
    }
    try {
      await this.#writeWhole(piece);
    } catch (error) {
      this.#dependencies.onFailure(error);
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
    const release = room.reserve(bytes);
    if (!release) throw noRoom();
    this.#held.push(release);
  }

  /** The complete body. No write may follow. */
  finish(): SpooledBody {
    const lengthBytes = this.#size;
    return {
      lengthBytes,
      sha256: this.#hash.digest('hex'),
      open: () => Readable.from(this.pieces(), { objectMode: false }),
      toBuffer: async () => {
        this.#take(this.#dependencies.memory, lengthBytes * COPIES);
        const bytes = Buffer.allocUnsafe(lengthBytes);
        let at = 0;
        for await (const piece of this.pieces()) at += piece.copy(bytes, at);
        return bytes;
      },
    };
  }

  async *pieces(): AsyncGenerator<Buffer, void, void> {
    for (let at = 0; at < this.#size; ) {
      // After the end, the file may hold bytes of a piece that was only partly written.
      const length = Math.min(READ_BYTES, this.#size - at);
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('A spooled body ended early.');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Releases all room. */
  close(): Promise<void> {
    for (const release of this.#held.splice(0)) release();
    return this.#file.close();
  }
}
