import type { Readable } from 'node:stream';

/** A body that is not in memory, to be sent on. */
export interface StreamedBody {
  /** Null where only its end will tell. */
  readonly lengthBytes: number | null;
  /** Once. The stream breaks with a ProblemError when the rest of it may not be sent on. */
  open(): Readable;
}

/** One that is known whole. */
export interface SpooledBody extends StreamedBody {
  readonly lengthBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** @throws {ProblemError} `overloaded` when there is no room in memory. */
  toBuffer(): Promise<Buffer>;
}
