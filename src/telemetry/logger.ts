import { pino, stdSerializers } from 'pino';
import { openLineWriter } from './line-writer.ts';

/** Writes the log. Facts are separate data, never part of the message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /**
   * Writes a line of level "info" whose facts are JSON already, without the braces: for a log line of every signup.
   * @param members `"name":value` pairs with commas between them. No value is redacted.
   * @param message Without characters that JSON escapes.
   */
  infoMembers(members: string, message: string): void;
  /** Whether a level is logged. For callers whose facts are expensive to collect. */
  isLevelEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
}

/** The log of a process, for its owner. */
export interface ProcessLogger extends Logger {
  /** Applies a reloaded level and format to all further lines. */
  configure(settings: Pick<LoggerOptions, 'level' | 'format'>): void;
}

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto` is `pretty` on a terminal, else `json`. */
  readonly format: 'auto' | 'json' | 'pretty';
  readonly isTerminal?: boolean;
  /** Receives one line with its line break. By default, lines go to standard output. */
  readonly write?: (line: string) => void;
}

/**
 * Personal data and credentials. Gatekeeper does not log these values on purpose. This list redacts values that are
 * logged by mistake, at the top level and one level below.
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

/** Writes one JSON object on each line, or a readable form for a person at a terminal. */
export function createLogger({ level, format, isTerminal = false, write }: LoggerOptions): ProcessLogger {
  const destination = write ? { write } : openLineWriter();
  let print = printerFor(format, isTerminal);
  const timestamp = createTimestamp();
  const logger = pino(
    {
      level,
      base: null,
      timestamp,
      serializers: { err: serializeError },
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
    configure(settings: Pick<LoggerOptions, 'level' | 'format'>) {
      logger.level = settings.level;
      print = printerFor(settings.format, isTerminal);
    },
  });
}

function printerFor(format: LoggerOptions['format'], isTerminal: boolean): (line: string) => string {
  const isPretty = format === 'auto' ? isTerminal : format === 'pretty';
  return isPretty ? prettyLine : escapeLine;
}

/** The time as pino writes it, ISO 8601. Formatted once for all lines of a millisecond. */
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

/** pino's form of an error. Its message is its own: pino adds those of its causes, which it may quote already. */
function serializeError(error: unknown): unknown {
  return error instanceof Error ? { ...stdSerializers.err(error), message: error.message } : error;
}

/** Own code, because pino's redaction by paths costs 10 µs a line. Errors are not redacted. */
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

/** Nearly no line has a value to redact, and checking is cheaper than copying. */
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

/** JSON does not escape C1 controls and the Unicode line separators; some log readers break lines at them. */
function escapeLine(line: string): string {
  return line.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `10:30:00.123 WARN  message key=value`. Values stay JSON, so no value can begin a new line. */
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
