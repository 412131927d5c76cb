/** The texts that commands print. */
export interface Output {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Writes to standard output. False when the text could not be written: a full disk, or a reader that is gone. */
  readonly deliver: (text: string) => Promise<boolean>;
  /** Whether standard output lost a text, although its reader is still there. */
  hasFailed(): boolean;
}

/**
 * Standard output and standard error. Without a listener for errors, a full disk or a reader that is gone (`| head`)
 * would end the process with a stack, also a server that answers requests.
 */
export function openOutput(): Output {
  let hasFailed = false;
  const writeError = (text: string) => process.stderr.write(text);
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader wants no more.
    if (code === 'EPIPE' || hasFailed) return;
    hasFailed = true;
    writeError(`Standard output cannot be written: ${message}\n`);
  });
  return {
    write: (text) => process.stdout.write(text),
    writeError,
    deliver: (text) => new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error))),
    hasFailed: () => hasFailed,
  };
}
