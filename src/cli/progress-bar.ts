/** Draws the progress of a long task on one line of a terminal. */
export interface ProgressBar {
  /** Shows the progress. Both numbers have the same unit. */
  show(done: number, total: number): void;
  /** Removes the line. */
  end(): void;
}

const WIDTH = 30;
const ERASE_LINE = '\r\x1b[2K';

/** @param write Null if standard error is not a terminal. Then the bar is not shown. */
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
