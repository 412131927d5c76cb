import { createHash } from 'node:crypto';
import { ConfigError } from './config-error.ts';
import { readTextFileAsync, reasonOf } from './read-text-file.ts';

export interface WatchOptions<T> {
  readonly file: string;
  /** What the process runs on: a change is a difference from this. */
  readonly text: string;
  /** Reads the configuration out of the text of the file; throws ConfigError. */
  readonly load: (text: string) => T;
  /** Swaps it in. When that fails, `onIssue` is called. */
  readonly onChange: (loaded: T) => void | Promise<void>;
  /** The old configuration stays. Called once for each bad state of the file, with a ConfigError or what `onChange` threw. */
  readonly onIssue: (error: unknown) => void;
  /** Calls `poll` from time to time until stopped; every second when left out. */
  readonly schedule?: (poll: () => void) => () => void;
}

export interface ConfigWatch {
  /** One look at the file, as the schedule does it. Does nothing while another is under way. */
  poll(): Promise<void>;
  /** Loads the file whether it changed or not: on SIGHUP, when a secret beside it was renewed. */
  reload(): Promise<void>;
  /** Looks no more. Waits for a load that has begun, so that what it uses can be closed, but not for long. */
  close(): Promise<void>;
}

/** Two polls see a change through: within the 5 s of the contract on a busy machine too. */
const POLL_MS = 1_000;
/** Loading takes some milliseconds; one that hangs must not hold up the end of the process. */
const MAX_WAIT_AT_CLOSE_MS = 1_000;

/**
 * Reloads a configuration file when its content changes. It is read at every poll, by its name: that sees writes,
 * renames over it and Kubernetes' swapped links alike, where file system events and time stamps each miss some.
 * A new content counts when two polls in a row have seen it, so that half a file is not taken for one.
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
    // However many signals arrive while one look is under way, one more look serves them all.
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
