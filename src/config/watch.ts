import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError } from './config-error.ts';
import { readTextFileAsync, reasonOf } from './read-text-file.ts';

export interface WatchOptions<T> {
  readonly file: string;
  /** The text that is active in the process. A file with another text is a change. */
  readonly text: string;
  /** Parses the text of the file. Throws ConfigError. */
  readonly load: (text: string) => T | Promise<T>;
  /** Applies the configuration. When that fails, `onIssue` is called. */
  readonly onChange: (loaded: T) => void | Promise<void>;
  /**
   * Reports an error; the old configuration stays active. Called once for each invalid state of the file, with a
   * ConfigError or with the error of `onChange`. An error of `onChange` may have a cause outside the file, so each poll
   * tries again.
   */
  readonly onIssue: (error: unknown) => void;
  /** Calls `poll` repeatedly until it is stopped. Default: every second. */
  readonly schedule?: (poll: () => void) => () => void;
  /** The pause between the two reads of a `reload`. */
  readonly pause?: () => Promise<void>;
}

export interface ConfigWatch {
  /** One check of the file. Does nothing while another check runs. */
  poll(): Promise<void>;
  /** Loads the file even if it is unchanged. Used on SIGHUP, because a secret in another file may have changed. */
  reload(): Promise<void>;
  /** Stops checking. Waits a short time for a running load, because its resources are closed next. */
  close(): Promise<void>;
}

/** A change is confirmed by two polls. So it is found within 5 s, even on a busy machine. */
const POLL_MS = 1_000;
/**
 * The pause of a reload. A SIGHUP may arrive while a slow editor still writes, so the content counts only when two
 * reads in a row are equal.
 */
const SETTLE_MS = 50;
/** The limit of reads. A file that changes all the time is used as it is, and the next poll reads it again. */
const MAX_SETTLE_READS = 20;
/** The longest wait. A load that hangs, or that of a very long file, must not delay the end of the process. */
const MAX_WAIT_AT_CLOSE_MS = 1_000;

/**
 * Reloads a configuration file when its content changes. Each poll reads the file by its name: this finds writes,
 * renames and the swapped links of Kubernetes. File system events and time stamps miss some of these changes. A new
 * content counts when two polls in a row have read it, so that half a file is never loaded.
 */
export function watchConfig<T>(options: WatchOptions<T>): ConfigWatch {
  const { file, load, onChange, onIssue, schedule = everySecond, pause = settlePause } = options;
  let current = fingerprint(options.text);
  let previous = current;
  /** The error of the last attempt to apply the content. Null when the content was applied or is invalid. */
  let notApplied: string | null = null;
  let underWay: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;
  let isClosed = false;

  const apply = async (content: Content): Promise<void> => {
    const before = notApplied;
    notApplied = null;
    try {
      const loaded = await load(textOf(content, file));
      if (!isClosed) await onChange(loaded);
    } catch (error) {
      if (!(error instanceof ConfigError)) notApplied = String(error);
      if (!isClosed && (before === null || before !== notApplied)) onIssue(error);
    }
  };
  const look = async (isForced: boolean): Promise<void> => {
    const content = isForced ? await readSettled(file, pause) : await read(file);
    if (isClosed) return;
    const isSettled = isForced || content.print === previous;
    previous = content.print;
    if (!isSettled) return;
    if (!isForced && content.print === current && notApplied === null) return;
    // After a change of the file and after a reload, an error is reported even if it is the same as before.
    if (isForced || content.print !== current) notApplied = null;
    current = content.print;
    await apply(content);
  };
  const start = (isForced: boolean): Promise<void> => {
    underWay = look(isForced).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const poll = () => underWay ?? start(false);
  const reload = (): Promise<void> => {
    // Many signals during one check cause only one more check.
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

async function readSettled(file: string, pause: () => Promise<void>): Promise<Content> {
  let content = await read(file);
  for (let reads = 1; reads < MAX_SETTLE_READS; reads++) {
    await pause();
    const again = await read(file);
    if (again.print === content.print) break;
    content = again;
  }
  return content;
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

function settlePause(): Promise<void> {
  return wait(SETTLE_MS);
}

function everySecond(poll: () => void): () => void {
  const timer = setInterval(poll, POLL_MS).unref();
  return () => clearInterval(timer);
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
