import { pino } from 'pino';

/** Tells the operator. Facts are data, never part of the message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /**
   * A line of level "info" whose facts are JSON already, without the braces around them: for what is logged once a signup.
   *
   * @param members `"name":value` pairs with commas between them. Nothing is withheld of them.
   * @param message Without characters that JSON escapes.
   */
  infoMembers(members: string, message: string): void;
  /** For callers whose facts are costly to gather. */
  isLevelEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
}

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'pretty';
  /** Takes one line, line break included. Left out: standard output, written at once. */
  readonly write?: (line: string) => void;
}

/**
 * Personal data and credentials. None is logged on purpose; this withholds what is logged by mistake, at the top and one
 * level down.
 */
const PRIVATE: ReadonlySet<string> = new Set([
  'email',
  'ip',
  'ip_address',
  'user_agent',
  'headers',
  'token',
  'secret',
  'password',
  'authorization',
  'cookie',
  'api_key',
  'x-api-key',
  'user-agent',
]);
const WITHHELD = '[private]';

/** One JSON object a line, or the same made readable for a person at a terminal. */
export function createLogger({ level, format, write }: LoggerOptions): Logger {
  const destination = write ? { write } : openLineWriter();
  const print = format === 'json' ? escapeLine : (line: string) => prettyLine(line);
  const timestamp = createTimestamp();
  const logger = pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }), log: withholdPrivate },
      messageKey: 'message',
    },
    { write: (line: string) => destination.write(print(line)) },
  );
  return Object.assign(logger, {
    infoMembers(members: string, message: string) {
      if (!logger.isLevelEnabled('info')) return;
      destination.write(print(`{"level":"info"${timestamp()},${members},"message":"${message}"}\n`));
    },
  });
}

/** The time as pino puts it into a line, ISO 8601. Written once for all lines of a millisecond. */
function createTimestamp(): () => string {
  let writtenAt = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== writtenAt) {
      writtenAt = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/**
 * Writes what is logged in one turn of the event loop at its end, in one piece: a system call for each line would cost as
 * much as judging. What is left is written when the process ends by itself; `kill -9` can lose a turn's lines.
 */
function openLineWriter(): { write(line: string): void } {
  const output = pino.destination({ dest: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/** Done here, because pino's redaction by paths costs 10 µs a line. Errors keep what they say. */
function withholdPrivate(facts: Record<string, unknown>): Record<string, unknown> {
  if (!mayHoldPrivate(facts)) return facts;
  const shown: Record<string, unknown> = {};
  for (const name in facts) {
    const value = facts[name];
    if (PRIVATE.has(name)) shown[name] = WITHHELD;
    else shown[name] = isPlainObject(value) ? withoutPrivate(value) : value;
  }
  return shown;
}

/** Nearly no line has anything to withhold, and looking is cheaper than copying. */
function mayHoldPrivate(facts: Readonly<Record<string, unknown>>): boolean {
  for (const name in facts) {
    if (PRIVATE.has(name) || isPlainObject(facts[name])) return true;
  }
  return false;
}

function withoutPrivate(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(facts).map(([name, value]) => [name, PRIVATE.has(name) ? WITHHELD : value]);
  return Object.fromEntries(entries);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** JSON leaves C1 controls and the Unicode line separators as they are; some readers of logs break lines at them. */
function escapeLine(line: string): string {
  return line.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `10:30:00.123 WARN  message key=value`. Values stay JSON, so that nothing in them can break out of the line. */
function prettyLine(line: string): string {
  const { level, time, message, err, ...facts } = JSON.parse(line) as Record<string, unknown> & {
    readonly err?: { readonly stack?: string };
  };
  const pairs = Object.entries(facts).map(
    ([name, value]) => ` ${JSON.stringify(name).slice(1, -1)}=${JSON.stringify(value)}`,
  );
  const text = typeof message === 'string' ? JSON.stringify(message).slice(1, -1) : '';
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${text}${pairs.join('')}`;
  const stack = err?.stack?.split('\n').map((frame) => `\n    ${JSON.stringify(frame).slice(1, -1)}`);
  return `${[head, ...(stack ?? [])].map(escapeLine).join('')}\n`;
}
