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
/** The lines that wait while the disk behind standard output is full. Later lines are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const REPORT_EVERY_MS = 60_000;
const STANDARD_ERROR = 2;

/**
 * Writes the lines of one tick of the event loop in one piece at its end: a system call for each line would cost as
 * much as judging. The rest is written when the process exits; `kill -9` can lose the lines of one tick. Several writers
 * never mix their lines, because each piece is written completely before the next. When several processes share one
 * output, a piece is at most as long as a pipe accepts in one write.
 *
 * A full disk or a reader that is gone does not end the process. Lines wait for the disk; without a reader they are lost.
 */
export function openLineWriter(): LineWriter {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
  output.on('error', createReport());
  const sharesOutput = process.send !== undefined;
  let lines = '';
  let bytes = 0;
  const flush = () => {
    if (lines === '') return;
    output.write(lines);
    lines = '';
    bytes = 0;
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (sharesOutput) {
        const length = Buffer.byteLength(line);
        if (bytes + length > PIPE_PIECE_BYTES) flush();
        bytes += length;
      }
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    flush,
  };
}

/** Says on standard error, at most once a minute, that the log cannot be written. */
function createReport(): (error: Error) => void {
  let reportAt = 0;
  return ({ message }) => {
    const now = performance.now();
    if (now < reportAt) return;
    reportAt = now + REPORT_EVERY_MS;
    try {
      writeSync(
        STANDARD_ERROR,
        `Standard output cannot be written, so log lines wait or are lost: ${message}\n`,
      );
    } catch {
      // Standard error may be on the same disk. There is no other place for the report.
    }
  };
}
