import { isUtf8 } from 'node:buffer';

/** A history that cannot be read. The message says what to change in the file. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** One line of a text file, without its end. */
export interface Line {
  /** The number of the line, from 1. */
  readonly number: number;
  /** Null when the line is not valid text. */
  readonly text: string | null;
  /** The reason why the text is missing; null when it is there. */
  readonly problem: string | null;
}

/**
 * The largest length of a line. A signup with the longest fields has less than 4 KiB, and the rest is for other
 * columns.
 */
export const MAX_LINE_BYTES = 65_536;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads UTF-8 text line by line, in batches as its chunks arrive, with one chunk and one line in memory. A
 * byte order mark at the start is dropped. A line that is too long is skipped and reported.
 * @throws {HistoryError} for UTF-16. Errors of the source are thrown unchanged.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let isFirstChunk = true;

  const keep = (bytes: Buffer) => {
    keptBytes += bytes.length;
    // Of a line beyond the limit, only the length is kept.
    if (keptBytes <= MAX_LINE_BYTES) kept.push(bytes);
    else kept = [];
  };
  const endLine = (): Line => {
    number++;
    const line = keptBytes > MAX_LINE_BYTES ? tooLong(number) : toLine(number, Buffer.concat(kept));
    kept = [];
    keptBytes = 0;
    return line;
  };

  for await (const chunk of chunks) {
    const bytes = isFirstChunk ? withoutMark(chunk) : chunk;
    isFirstChunk = false;
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      keep(bytes.subarray(start, end));
      lines.push(endLine());
      start = end + 1;
    }
    if (start < bytes.length) keep(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (keptBytes > 0) yield [endLine()];
}

function withoutMark(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new HistoryError('The file is UTF-16; save it as UTF-8.');
  }
  return bytes.subarray(0, 3).equals(UTF8_MARK) ? bytes.subarray(3) : bytes;
}

function toLine(number: number, bytes: Buffer): Line {
  const content = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  if (!isUtf8(content)) return { number, text: null, problem: 'not UTF-8' };
  return { number, text: content.toString('utf8'), problem: null };
}

function tooLong(number: number): Line {
  return { number, text: null, problem: `longer than ${MAX_LINE_BYTES} bytes` };
}
