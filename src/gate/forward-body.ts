import type { Readable } from 'node:stream';

/** A body outside of memory that will be forwarded. */
export interface StreamedBody {
  /** Null when the length is known only at the end. */
  readonly lengthBytes: number | null;
  /**
   * Opens the stream; to be called only once. The stream fails with a ProblemError when the rest of the body must not
   * be forwarded.
   */
  open(): Readable;
}

/** A complete body in a file. */
export interface SpooledBody extends StreamedBody {
  readonly lengthBytes: number;
  /** The hash of the body, in hex. */
  readonly sha256: string;
  /** @throws {ProblemError} `overloaded` when no memory is left. */
  toBuffer(): Promise<Buffer>;
}
