import { createHash } from 'node:crypto';
import { ConfigError } from './config-error.ts';
import { readTextFileAsync, reasonOf } from './read-text-file.ts';

export interface WatchOptions<T> {
  readonly file: string;
  /** The text that the process runs with: a change is a difference from this text. */
  readonly text: string;
  /** Parses the text of the file; throws ConfigError. */
  readonly load: (text: string) => T;
  /** Applies the configuration. When that fails, `onIssue` is called. */
  readonly onChange: (loaded: T) => void | Promise<void>;
  /**
   * The old configuration stays. Called once for each invalid state of the file, with a ConfigError or with the error
   * of `onChange`.
   */
  readonly onIssue: (error: unknown) => void;
  /** Calls `poll` repeatedly until stopped; by default every second. */
  readonly schedule?: (poll: () => void) => () => void;
}

export interface ConfigWatch {
  /** One check of the file. Does nothing while another check runs. */
  poll(): Promise<void>;
  /** Loads the file even if it is unchanged: on SIGHUP, when a secret in another file was renewed. */
  reload(): Promise<void>;
  /** Stops checking. Waits a short time for a running load, so that the resources it uses can be closed. */
  close(): Promise<void>;
}

/** Two polls confirm a change: within 5 s also on a busy machine. */
const POLL_MS = 1_000;
/** Loading takes some milliseconds; a load that hangs must not delay the end of the process. */
const MAX_WAIT_AT_CLOSE_MS = 1_000;

/**
 * Reloads a configuration file when its content changes. Each poll reads the file by its name: this finds writes,
 * renames and Kubernetes' swapped links, where file system events and time stamps each miss some. A new content counts
 * when two polls in a row have read it, so that half a file is never loaded.
 */
export function watchConfig<T>(options: WatchOptions<T>): ConfigWatch {
  const { file, load, onChange, onIssue, schedule = everySecond } = options;
  let current = fingerprint(options.text);
  let previous = current;
  let underWay: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;
  let isClosed = false;

  const look = async (isForced: boolean): Promise<void> => {
    const content = await read(file);
    if (isClosed) return;
    const isSettled = content.print === previous;
    previous = content.print;
    if (!isForced && (!isSettled || content.print === current)) return;
    current = content.print;
    try {
      await onChange(load(textOf(content, file)));
    } catch (error) {
      if (!isClosed) onIssue(error);
    }
  };
  const start = (isForced: boolean): Promise<void> => {
    underWay = look(isForced).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const poll = () => underWay ?? start(false);
  const reload = (): Promise<void> => {
    // Any number of signals during one check cause only one more check.
    waiting ??= (underWay ?? Promise.resolve()).then(() => {
      waiting = null;
      return start(true);
    });
    return waiting;
  };
  const stop = schedule(() => void poll());
  return {
    poll,
    reload,
    async close() {
      isClosed = true;
      stop();
      if (underWay) await within(MAX_WAIT_AT_CLOSE_MS, underWay);
    },
  };
}

type Content =
  | { readonly print: string; readonly text: string }
  | { readonly print: string; readonly text: null; readonly error: unknown };

async function read(file: string): Promise<Content> {
  try {
    const text = await readTextFileAsync(file);
    return { text, print: fingerprint(text) };
  } catch (error) {
    return { text: null, error, print: `unreadable: ${reasonOf(error)}` };
  }
}

function textOf(content: Content, file: string): string {
  if (content.text !== null) return content.text;
  const message = `cannot read the configuration file: ${reasonOf(content.error)}`;
  throw new ConfigError([{ path: '', line: 1, column: 1, message, hint: null }], file);
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

function everySecond(poll: () => void): () => void {
  const timer = setInterval(poll, POLL_MS).unref();
  return () => clearInterval(timer);
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
