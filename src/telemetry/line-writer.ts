import { writeSync } from 'node:fs';
import { pino } from 'pino';

/** Writes lines to standard output. */
export interface LineWriter {
  /** @param line The line with its line break. */
  write(line: string): void;
  /** Writes the waiting lines at once. */
  flush(): void;
}

/** `PIPE_BUF` of Linux: up to this size, writes of several processes to one pipe do not mix. */
const PIPE_PIECE_BYTES = 4_096;
/** The lines that wait for a full disk or for a reader that does not read. Later lines are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 100;
/** How long a line waits for others, so that one system call writes them all. */
const GATHER_MS = 10;
/** A quarter of what a pipe of Linux holds. */
const GATHERED_CHARACTERS = 16_384;
/** How long an exit waits for a slow reader. */
const EXIT_WAIT_MS = 500;
const EXIT_RETRY_MS = 10;
const REPORT_EVERY_MS = 60_000;
const STANDARD_ERROR = 2;

/**
 * Writes the lines of 10 ms in one piece: a system call for each line would cost as much as judging. The rest is written
 * when the process exits; `kill -9` can lose the lines of 10 ms. Several writers never mix their lines, because each piece
 * is written completely before the next. When several processes share one output, a piece is at most as long as a pipe
 * accepts in one write.
 *
 * A full disk or a reader that is gone does not end the process, and a reader that stops reading does not block it: Node
 * makes a pipe non-blocking when `process.stdout` is first used. Lines wait for the disk and for a slow reader; without a
 * reader they are lost.
 */
export function openLineWriter(): LineWriter {
  const sharesOutput = process.send !== undefined;
  const output = pino.destination({
    dest: 1,
    sync: true,
    maxLength: MAX_WAITING_BYTES,
    ...(sharesOutput && { maxWrite: PIPE_PIECE_BYTES }),
    // By default it blocks the event loop until the reader reads.
    retryEAGAIN: () => false,
  });
  const report = createReport();
  let isReaderSlow = false;
  let willRetry = false;
  output.on('error', (error: NodeJS.ErrnoException) => {
    isReaderSlow = error.code === 'EAGAIN';
    if (!isReaderSlow) report(error.message);
    if (!willRetry) setTimeout(writeWaiting, RETRY_MS).unref();
    willRetry = true;
  });
  output.on('drop', () => report(`${MAX_WAITING_BYTES} bytes wait`));
  let lines = '';
  let bytes = 0;

  function writeWaiting(): void {
    willRetry = false;
    isReaderSlow = false;
    output.write('');
  }

  const flush = () => {
    if (lines === '') return;
    output.write(lines);
    lines = '';
    bytes = 0;
  };
  process.on('exit', () => {
    flush();
    const start = performance.now();
    while (isReaderSlow && performance.now() - start < EXIT_WAIT_MS) {
      sleep(EXIT_RETRY_MS);
      writeWaiting();
    }
  });
  return {
    write(line) {
      if (sharesOutput) {
        const length = Buffer.byteLength(line);
        if (bytes + length > PIPE_PIECE_BYTES) flush();
        bytes += length;
      }
      if (lines === '') setTimeout(flush, GATHER_MS).unref();
      lines += line;
      if (lines.length >= GATHERED_CHARACTERS) flush();
    },
    flush,
  };
}

/** Says on standard error, at most once a minute, that the log cannot be written. */
function createReport(): (cause: string) => void {
  let reportAt = 0;
  return (cause) => {
    const now = performance.now();
    if (now < reportAt) return;
    reportAt = now + REPORT_EVERY_MS;
    try {
      writeSync(
        STANDARD_ERROR,
        `Standard output cannot be written, so log lines wait or are lost: ${cause}\n`,
      );
    } catch {
      // Standard error may be on the same disk. There is no other place for the report.
    }
  };
}

/** Blocks the process, which is allowed at its exit alone. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
