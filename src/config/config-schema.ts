import type { Static, StaticDecode } from '@sinclair/typebox';
import { apiSchema } from './api-schema.ts';
import { datasetsSchema } from './datasets-schema.ts';
import { alertsSchema, exportsSchema, logSchema } from './log-schema.ts';
import { PRESETS } from './presets.ts';
import { proxySchema } from './proxy-schema.ts';
import {
  choice,
  flag,
  integer,
  type JsonSchema,
  list,
  nullable,
  secretText,
  section,
  text,
  textOrPort,
} from './schema-types.ts';
import { scoringSchema } from './scoring-schema.ts';
import { siteSchema } from './site-schema.ts';
import { telemetrySchema } from './telemetry-schema.ts';

const positive = { minimum: 1, maximum: 1_000_000_000 };

const verification = section('Limits of held signups and of verification mails.', {
  ttl: text('Time to verify a held signup.', 'duration'),
  max_held: integer('Limit of simultaneous held signups.', { ...positive, unit: 'signups' }),
  max_held_size: text('Limit of the total size of simultaneous held signups.', 'size'),
  code_tries: integer('Limit of wrong codes for each held signup. A new mail does not reset the count.', {
    minimum: 1,
    maximum: 100,
    unit: 'tries',
  }),
  mails_per_signup: integer('Limit of mails for each held signup, including the first mail.', {
    minimum: 1,
    maximum: 100,
    unit: 'mails',
  }),
  mails_per_hour: section('Limits in 60 minutes, against mail bombing.', {
    mailbox: integer('Limit of mails to one canonical mailbox.', { ...positive, unit: 'mails' }),
    address: integer('Limit of mails caused by one IP address.', { ...positive, unit: 'mails' }),
    site: integer('Limit of all mails.', { ...positive, unit: 'mails' }),
  }),
  pass_again: text('Time in which a verified mailbox can sign up again without a mail.', 'duration'),
  hold_secrets: list(
    'Secrets that encrypt held signups. The first secret encrypts, and every secret can decrypt, so you can rotate them. Without a secret, Gatekeeper makes one and keeps it in the storage folder; records in PostgreSQL require one.',
    secretText('At least 32 random characters.'),
    16,
  ),
});

const review = section('Refused signups that the review desk of the dashboard can forward later.', {
  keep_refused: flag(
    'Whether refused signups are kept for 24 hours, encrypted, so that the review desk can forward them later.',
  ),
  max_kept: integer('Limit of simultaneous kept signups.', { ...positive, unit: 'signups' }),
  max_kept_size: text('Limit of the total size of kept signups.', 'size'),
});

const server = section('Limits of every listener.', {
  head_timeout: text('Time for the request line and the headers.', 'timeout'),
  body_timeout: text(
    "Time for a body. A body with at least `min_body_rate` may take longer. Forms of the gate's own pages have 10 s, and forms of the dashboard 30 s.",
    'timeout',
  ),
  min_body_rate: text(
    'Lowest rate, in bytes in a second, at which a body may take longer than `body_timeout`.',
    'size',
  ),
  idle_timeout: text('Time without a request after which a keep-alive connection closes.', 'timeout'),
  stop_delay: text(
    'Time after SIGTERM in which requests are still accepted and `/readyz` says 503, so that load balancers notice.',
    'timeout-or-off',
  ),
  drain_timeout: text(
    'Longest duration of a shutdown. Requests in progress are aborted after three quarters of it.',
    'timeout',
  ),
  max_header_lines: integer('Limit of header lines of a request.', {
    minimum: 10,
    maximum: 10_000,
    unit: 'lines',
  }),
  max_head: text('Largest size of the request line and headers together.', 'size'),
  max_connections: integer('Limit of open connections of one listener.', {
    minimum: 1,
    maximum: 1_000_000,
    unit: 'connections',
  }),
  max_lag: text(
    'Lag of the event loop above which new requests get 503, also those of one sender that would wait so long for their turn. At the gate, requests that are not signups get 503 above five times this lag, and own pages above twice this lag.',
    'timeout',
  ),
});

const assertion = section('Signatures that prove to the app that a request went through the gate.', {
  keys: list(
    'The first key signs, and every key can verify, so you can rotate them. Without a key, Gatekeeper makes one and keeps it in the storage folder.',
    section(
      'One key with either a `secret` (HS256) or a `private_key` (EdDSA).',
      {
        id: text('`kid` of the signature.', 'name'),
        secret: nullable(
          secretText('Secret that the app knows too. RFC 7518 requires at least 32 bytes.'),
          'none',
        ),
        private_key: nullable(secretText('Ed25519 private key as PKCS 8 in PEM.'), 'none'),
      },
      ['id'],
    ),
    16,
  ),
});

/** `gatekeeper.yaml`. */
const root = section('The configuration of Gatekeeper.', {
  preset: nullable(
    choice(
      'Prepared settings for one kind of site. They override the defaults, and this file overrides them. See docs/presets.md.',
      PRESETS,
    ),
    'the defaults alone',
  ),
  api: apiSchema,
  proxy: nullable(proxySchema, 'the gate is off, and only the API is served'),
  scoring: scoringSchema,
  lists: section(
    'Entries that override every score: mailboxes, domains, networks, AS numbers, countries. A denied pattern of mailboxes, such as `pattern:promo.user#`, overrides no result. Its strongest effect is verification.',
    {
      allow: list('Entries that set the trust score to 100.', text('One entry.', 'line')),
      deny: list('Entries that set the trust score to 0. Deny overrides allow.', text('One entry.', 'line')),
    },
  ),
  storage: section('Storage of records and counters.', {
    records: text(
      'Database of accounts, keys, quotas, decisions and held signups: `sqlite:` and a path, or the URL of a PostgreSQL database (docs/postgresql.md).',
      'records-store',
      { secret: 'password' },
    ),
    max_decisions: integer(
      'Limit of stored decisions, in addition to `privacy.retention`. Above the limit, Gatekeeper deletes the oldest decisions.',
      { minimum: 1_000, maximum: 1_000_000_000, unit: 'decisions' },
    ),
    max_size: text(
      'Maximum size of the database. Unused space inside the file does not count. Above the limit, Gatekeeper deletes the oldest decisions.',
      'disk-size',
    ),
    max_test_decisions: integer(
      'Limit of stored decisions of test keys. They do not count toward `max_decisions`.',
      {
        minimum: 100,
        maximum: 1_000_000_000,
        unit: 'decisions',
      },
    ),
    counters: text(
      'Storage of velocity windows, limits per minute and the sign-in throttle: memory, or Redis or Valkey for several nodes: redis://, rediss:// (TLS), redis+sentinel://a:26379,b:26379/name or redis+cluster://a:7000,b:7001. The same with valkey://.',
      'counters-store',
      {
        secret: 'password',
      },
    ),
  }),
  datasets: datasetsSchema,
  mail: section('Delivery of mails.', {
    smtp: nullable(
      text('URL of the mail server, with user and password.', 'smtp-url', { secret: 'password' }),
      'a mailbox page for development',
    ),
    from: text('The sender of every mail.', 'sender'),
  }),
  site: siteSchema,
  verification,
  review,
  assertion,
  dashboard: section(
    'The dashboard: keys, usage, decisions, lists and the simulator. Its listener also serves the mailbox for development and `/metrics`.',
    {
      listen: textOrPort(
        'Where the dashboard listens. A port without a host listens on 127.0.0.1.',
        'listen-address',
      ),
      public_url: nullable(
        text(
          'URL of the dashboard for its users, used in mails. It must be https, except on loopback.',
          'origin',
        ),
        'the address of `listen`',
      ),
      trusted_proxies: list(
        'Networks of the proxies in front of the dashboard. The dashboard trusts the `X-Forwarded-For` header of these proxies.',
        text('One address or network.', 'cidr'),
        1_000,
      ),
      registration: choice('Whether visitors may register an account.', ['closed', 'open']),
      require_two_factor: flag(
        'Whether every user of the dashboard needs two-factor. A user without it must set it up before other pages open.',
      ),
      metrics_token: nullable(
        text('Bearer token with which other machines can read `/metrics`.', 'bearer-token', {
          secret: 'whole',
        }),
        'only this machine can read',
      ),
    },
  ),
  privacy: section('Stored data about people.', {
    retention: text('Age at which decisions are deleted.', 'duration'),
    store_plain: flag('Whether emails and IP addresses are stored as plain text beside their hashes.'),
    hash_secret: nullable(
      secretText('Secret of the keyed hashes of emails and IP addresses. Records in PostgreSQL require one.'),
      'made once and kept in the storage folder',
    ),
  }),
  log: logSchema,
  telemetry: telemetrySchema,
  exports: exportsSchema,
  alerts: alertsSchema,
  server,
  workers: integer(
    'Number of processes that share the listeners. More than one process needs counters in Redis.',
    {
      minimum: 1,
      maximum: 256,
      unit: 'processes',
    },
  ),
});

/** The schema of the file. Validation, the merge with the defaults, editor completion and the documentation use it. */
export const configSchema = root as JsonSchema;

/** The configuration with the structure of its file, completed with the defaults. */
export type CompleteDocument = DeepReadonly<Static<typeof root>>;

/** The same document with every text parsed by its format, for example to milliseconds, bytes and absolute paths. */
export type ReadDocument = DeepReadonly<StaticDecode<typeof root>>;

type DeepReadonly<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> };
