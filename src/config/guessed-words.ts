/**
 * Keys that users often write first, because other programs have them. Each key belongs to the same mapping as its
 * guess.
 */
export const GUESSED_KEYS: Readonly<Record<string, string>> = {
  address: 'listen',
  allowlist: 'allow',
  app: 'upstream',
  backend: 'upstream',
  bind: 'listen',
  blacklist: 'deny',
  block: 'deny',
  blocklist: 'deny',
  database: 'records',
  db: 'records',
  denylist: 'deny',
  dry_run: 'mode',
  email_field: 'email',
  email_path: 'email',
  endpoint: 'otlp',
  field: 'email',
  forward_to: 'upstream',
  gate: 'proxy',
  gateway: 'proxy',
  hash: 'sha256',
  host: 'listen',
  location: 'path',
  origin: 'upstream',
  paths: 'path',
  port: 'listen',
  postgres: 'records',
  redis: 'counters',
  reverse_proxy: 'proxy',
  sample_rate: 'sample',
  sampling: 'sample',
  sqlite: 'records',
  target: 'upstream',
  thresholds: 'levels',
  tracing: 'traces',
  uri: 'path',
  url: 'path',
  whitelist: 'allow',
};

/** Values that users often write first for settings with a choice. */
export const GUESSED_CHOICES: Readonly<Record<string, string>> = {
  accept: 'forward',
  allow: 'forward',
  challenge: 'verify',
  confirm: 'verify',
  deny: 'block',
  dry_run: 'monitor',
  mail: 'email',
  observe: 'monitor',
  off: 'silent',
  pass: 'forward',
  refuse: 'block',
  reject: 'block',
  report: 'monitor',
  shadow: 'monitor',
  text: 'pretty',
  trace: 'debug',
  verbose: 'debug',
  warning: 'warn',
};

/** The word of Gatekeeper for a guess. Null when the guess is in no table. */
export function meantBy(guess: string, guesses: Readonly<Record<string, string>>): string | null {
  const word = guess.toLowerCase().replaceAll('-', '_');
  return Object.hasOwn(guesses, word) ? (guesses[word] ?? null) : null;
}
