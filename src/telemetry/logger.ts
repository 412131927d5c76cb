import { pino, stdTimeFunctions } from 'pino';

/** Where things are said that an operator should know. Facts are data, never part of the message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** For callers to whom gathering the facts costs something. */
  isLevelEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
}

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'pretty';
  /** Takes one line, line break included. Left out: standard output, written at once. */
  readonly write?: (line: string) => void;
}

/**
 * What names a person or opens a door. Nobody here logs such a thing on purpose; this holds when somebody does all the
 * same, at the top and one level down.
 */
const PRIVATE = [
  ...['email', 'ip', 'ip_address', 'user_agent', 'headers', 'token', 'secret', 'password'],
  ...['authorization', 'cookie', 'api_key', '["x-api-key"]', '["user-agent"]'],
];
const PRIVATE_PATHS = PRIVATE.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]);

/** One JSON object a line, or the same made readable for a person at a terminal. */
export function createLogger({ level, format, write }: LoggerOptions): Logger {
  const destination = write ? { write } : pino.destination({ dest: 1, sync: true });
  const print = format === 'json' ? escapeLine : (line: string) => prettyLine(line);
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      redact: { paths: PRIVATE_PATHS, censor: '[private]' },
    },
    { write: (line: string) => destination.write(print(line)) },
  );
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
