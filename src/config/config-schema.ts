import type { Static, StaticDecode } from '@sinclair/typebox';
import { apiSchema } from './api-schema.ts';
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

const positive = { minimum: 1, maximum: 1_000_000_000 };

const datasets = section('Facts about domains and networks, and where they refresh from.', {
  refresh: text('How often feeds are fetched. off: by `gatekeeper data update` alone.', 'duration-or-off'),
  asn_mmdb: nullable(
    text('A MaxMind-format file with AS numbers; it wins over built-in data.', 'file'),
    'built-in data',
  ),
  country_mmdb: nullable(
    text('A MaxMind-format file with countries; it wins over built-in data.', 'file'),
    'built-in data',
  ),
  anonymous_ip_mmdb: nullable(text('A MaxMind-format file with anonymous networks.', 'file'), 'none'),
  feeds: list(
    'Lists fetched over http or https: one entry a line with # comments, or a JSON array of strings.',
    section(
      'One feed.',
      {
        name: text('Names the feed in `gatekeeper data status`.', 'name'),
        kind: choice('What its entries are.', [
          'disposable',
          'tor',
          'vpn',
          'datacenter',
          'proxy',
          'blocklist',
          'relay',
        ]),
        url: text('Where it is fetched from.', 'web-url', { secret: 'password' }),
        format: choice('auto looks at the content.', ['auto', 'lines', 'json']),
      },
      ['name', 'kind', 'url'],
    ),
    100,
  ),
});

const verification = section('Bounds of held signups and of the mails that verify them.', {
  ttl: text('How long a signup is held while its sender verifies.', 'duration'),
  max_held: integer('Held signups at once, all together.', { ...positive, unit: 'signups' }),
  max_held_size: text('Bytes of held signups at once, all together.', 'size'),
  code_tries: integer('Wrong codes per held signup; a new mail does not reset them.', {
    minimum: 1,
    maximum: 100,
    unit: 'tries',
  }),
  mails_per_signup: integer('Mails per held signup, the first one included.', {
    minimum: 1,
    maximum: 100,
    unit: 'mails',
  }),
  mails_per_hour: section('Hourly budgets, against mail bombing.', {
    mailbox: integer('To one canonical mailbox.', { ...positive, unit: 'mails' }),
    address: integer('Caused by one IP address.', { ...positive, unit: 'mails' }),
    site: integer('All together.', { ...positive, unit: 'mails' }),
  }),
  pass_again: text('For how long a mailbox that has verified passes once more without a mail.', 'duration'),
  hold_secrets: list(
    'Encrypt held signups. The first one seals; all open, so that they can be rotated. Missing: one is made and kept in the storage folder.',
    secretText('At least 32 random characters.'),
    16,
  ),
});

const server = section('Bounds of every listener.', {
  head_timeout: text('Time for a request line and its headers.', 'duration'),
  body_timeout: text('Time for a body, unless it moves at `min_body_rate`.', 'duration'),
  min_body_rate: text('Bytes a second at which a body may take longer than `body_timeout`.', 'size'),
  idle_timeout: text('How long a kept-alive connection may stay silent between requests.', 'duration'),
  drain_timeout: text(
    'How long a stop takes at most. Requests in flight get three quarters of it and are cut then.',
    'duration',
  ),
  max_header_lines: integer('Header lines of a request.', { minimum: 10, maximum: 10_000, unit: 'lines' }),
  max_head: text('Request line and headers together.', 'size'),
  max_connections: integer('Open connections of one listener.', {
    minimum: 1,
    maximum: 1_000_000,
    unit: 'connections',
  }),
  max_lag: text(
    'Event-loop lag from which new work is refused with 503; at the gate what passes through only from five times as much.',
    'duration',
  ),
});

const assertion = section('How the app knows that a request went through the gate.', {
  keys: list(
    'The first one signs; all verify, so that keys can be rotated. Missing: one is made and kept in the storage folder.',
    section(
      'One key: a `secret` (HS256) or a `private_key` (EdDSA), never both.',
      {
        id: text('The `kid` of the signature.', 'name'),
        secret: nullable(secretText('Shared with the app. RFC 7518 asks for 32 bytes at least.'), 'none'),
        private_key: nullable(secretText('An Ed25519 private key as PKCS 8 in PEM.'), 'none'),
      },
      ['id'],
    ),
    16,
  ),
});

/** `gatekeeper.yaml`. */
const root = section('The configuration of Gatekeeper.', {
  api: apiSchema,
  proxy: nullable(proxySchema, 'the API alone is served'),
  scoring: scoringSchema,
  lists: section('Entries that override every score: mailboxes, domains, networks, AS numbers, countries.', {
    allow: list('These get 100.', text('One entry.', 'line')),
    deny: list('These get 0. Deny wins over allow.', text('One entry.', 'line')),
  }),
  storage: section('Where records and counters live.', {
    records: text(
      'Accounts, keys, quotas, decisions, held signups: `sqlite:` and a path, or a postgres:// URL, which a later version serves.',
      'records-store',
      { secret: 'password' },
    ),
    max_decisions: integer(
      'Decisions kept at most, whatever `privacy.retention` says: beyond it the oldest go first.',
      { minimum: 1_000, maximum: 1_000_000_000, unit: 'decisions' },
    ),
    max_size: text(
      'How large the database may grow, free space inside it left out: beyond it the oldest decisions go first.',
      'size',
    ),
    max_test_decisions: integer('Decisions of test keys kept at most, besides the others.', {
      minimum: 100,
      maximum: 1_000_000_000,
      unit: 'decisions',
    }),
    counters: text(
      'Velocity windows and limits: memory, or a redis:// URL, which a later version serves.',
      'counters-store',
      {
        secret: 'password',
      },
    ),
  }),
  datasets,
  mail: section('Mails of the verification.', {
    smtp: nullable(
      text('The mail server, as a URL with user and password.', 'smtp-url', { secret: 'password' }),
      'a mailbox page for development',
    ),
    from: text('The sender of every mail.', 'sender'),
  }),
  verification,
  assertion,
  dashboard: section(
    'The dashboard: keys, usage, decisions, lists and the simulator. The mailbox for development and `/metrics` answer at its address too.',
    {
      listen: textOrPort(
        'Where the dashboard listens. A port alone is one of this machine alone.',
        'listen-address',
      ),
      public_url: nullable(
        text('Where people reach the dashboard: for links in mails. https, unless on loopback.', 'origin'),
        'its own address',
      ),
      trusted_proxies: list(
        'Networks of the proxies in front of the dashboard, whose `X-Forwarded-For` is believed.',
        text('One address or network.', 'cidr'),
        1_000,
      ),
      registration: choice('Whether visitors may register an account.', ['closed', 'open']),
      metrics_token: nullable(
        text('The bearer token with which other machines may read `/metrics`.', 'bearer-token', {
          secret: 'whole',
        }),
        'this machine alone may read',
      ),
    },
  ),
  privacy: section('What is kept about people, and how long.', {
    retention: text('Decisions older than this are deleted.', 'duration'),
    store_plain: flag('Whether emails and addresses are stored in plain beside their hashes.'),
    hash_secret: nullable(
      secretText('Keys the hashes of emails and addresses.'),
      'made once and kept in the storage folder',
    ),
  }),
  log: section('Logs, on standard output.', {
    level: choice('The mildest entries that are written.', ['debug', 'info', 'warn', 'error', 'silent']),
    format: choice('json for machines, pretty for people.', ['json', 'pretty']),
  }),
  server,
  workers: integer('Processes that share the listeners.', { minimum: 1, maximum: 256, unit: 'processes' }),
});

/** Drives validation, the merge with the defaults, editor completion and the documentation. */
export const configSchema = root as JsonSchema;

/** The configuration as in its file, completed with the defaults. */
export type CompleteDocument = DeepReadonly<Static<typeof root>>;

/** The same with every text parsed by its format: milliseconds, bytes, absolute paths. */
export type ReadDocument = DeepReadonly<StaticDecode<typeof root>>;

type DeepReadonly<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> };
