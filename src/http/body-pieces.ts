/** Smaller pieces are copied together. A separate `Buffer` for each byte would need four hundred times its size. */
const SMALL_BYTES = 1_024;
const BLOCK_BYTES = 4_096;
/** The number of first pieces that are kept unchanged. Most bodies arrive in one to three pieces. */
const FEW_PIECES = 16;

/** Bytes in the order of arrival. They need about as much memory as their length, even if the pieces are small. */
export class BodyPieces {
  readonly #pieces: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  /** The start of the bytes in the block that are not yet in the list of pieces. */
  #from = 0;
  #to = 0;

  add(piece: Buffer): void {
    if (piece.length >= SMALL_BYTES || this.#pieces.length < FEW_PIECES) {
      this.#seal();
      this.#pieces.push(piece);
      return;
    }
    if (this.#to + piece.length > this.#block.length) {
      this.#seal();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#from = 0;
      this.#to = 0;
    }
    this.#to += piece.copy(this.#block, this.#to);
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#from === this.#to;
  }

  /** Removes and returns the first piece. */
  shift(): Buffer | undefined {
    if (this.#pieces.length === 0) this.#seal();
    return this.#pieces.shift();
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#from = this.#to;
  }

  /** All bytes in one piece. */
  join(): Buffer {
    this.#seal();
    const [only] = this.#pieces;
    return only && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
  }

  #seal(): void {
    if (this.#from < this.#to) this.#pieces.push(this.#block.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
