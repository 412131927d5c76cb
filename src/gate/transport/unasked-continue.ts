import type { Socket } from 'node:net';

const INTERIM = Buffer.from('HTTP/1.1 1');
const CONTINUE = Buffer.from('HTTP/1.1 100');
const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);
/** A longer head is left to undici, which refuses it. */
const MAX_HEAD_BYTES = 8_192;

/**
 * Drops `100 Continue` answers before the final answer. An app may send them unasked (RFC 9110 section 15.2), but undici
 * 7.30 ends the connection at the first one. Other interim answers stay.
 *
 * Only the first bytes after a request are inspected: everything later is part of its answer.
 * @param written The number of requests that were written to the socket. One request at a time is open.
 */
export function dropUnaskedContinue(socket: Socket, written: () => number): void {
  const read = socket.read.bind(socket);
  let answered = 0;
  let held: Buffer = EMPTY;
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || answered === written()) return chunk;
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = EMPTY;
    const kept: Buffer[] = [];
    let rest: Buffer = bytes;
    while (beginsAs(rest, INTERIM)) {
      const end = rest.indexOf(HEAD_END);
      if (end === -1) {
        if (rest.length > MAX_HEAD_BYTES) break;
        held = rest;
        return Buffer.concat(kept);
      }
      const next = end + HEAD_END.length;
      if (!beginsAs(rest, CONTINUE)) kept.push(rest.subarray(0, next));
      rest = rest.subarray(next);
    }
    if (rest.length > 0) answered = written();
    return kept.length === 0 ? rest : Buffer.concat([...kept, rest]);
  };
}

/** Of shorter bytes, whether they may become such a start. */
function beginsAs(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, length, 0, length) === 0;
}
