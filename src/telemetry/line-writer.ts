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

/**
 * Writes the lines of one tick of the event loop in one piece at its end: a system call for each line would cost as
 * much as judging. The rest is written when the process exits; `kill -9` can lose the lines of one tick. Several writers
 * never mix their lines, because each piece is written completely before the next. When several processes share one
 * output, a piece is at most as long as a pipe accepts in one write.
 */
export function openLineWriter(): LineWriter {
  const output = pino.destination({ dest: 1, sync: true });
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
