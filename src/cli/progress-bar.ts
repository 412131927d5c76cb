/** Draws on one line of a terminal how far a long work is. */
export interface ProgressBar {
  /** Both in the same unit. */
  show(done: number, total: number): void;
  /** Takes the line away. */
  end(): void;
}

const WIDTH = 30;
const ERASE_LINE = '\r\x1b[2K';

/** @param write Null where standard error is no terminal: nothing is drawn then. */
export function createProgressBar(label: string, write: ((text: string) => void) | null): ProgressBar {
  let shown = -1;
  return {
    show(done, total) {
      const percent = total > 0 ? Math.floor((100 * done) / total) : 100;
      if (!write || percent === shown) return;
      shown = percent;
      const filled = Math.round((percent * WIDTH) / 100);
      write(`${ERASE_LINE}${label} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${percent} %`);
    },
    end() {
      if (write && shown !== -1) write(ERASE_LINE);
    },
  };
}
