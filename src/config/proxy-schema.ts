import { Type } from '@sinclair/typebox';
import {
  choice,
  derived,
  flag,
  integer,
  list,
  nullable,
  record,
  section,
  text,
  textOrList,
  textOrPort,
} from './schema-types.ts';

const ACTIONS = ['forward', 'verify', 'block'] as const;
const score = { minimum: 0, maximum: 100, unit: 'points of trust' };

const condition = Type.Unsafe<string | number | boolean | { exists: true }>({
  type: ['string', 'number', 'boolean', 'object'],
  description: 'The value, compared as it is, or {exists: true}.',
  properties: { exists: { type: 'boolean', enum: [true], description: 'Any value at all.' } },
  required: ['exists'],
  additionalProperties: false,
});

const route = section(
  'One signup route. The first one that matches decides.',
  {
    name: derived(
      text('Names the route in decisions, logs and metrics.', 'name'),
      'made of the path: `signup` for `/signup`',
    ),
    methods: nullable(
      list('Methods that are judged.', text('One method.', 'method'), 20),
      'POST, and any other method whose body has the email',
    ),
    path: text('Segments: literal, `:param`, `*` for one, a last `**` for the rest.', 'route-path'),
    when: record(
      'Body fields that must have these values for the route to match, for GraphQL and single-endpoint apps; also ' +
        '`header:name` and `query:name`. `{exists: true}` matches any value. ' +
        '`operationName` matches every GraphQL document that holds the name, since senders choose what they call it, and ' +
        'with an email every stored document: name the field of the mutation (`signUp`).',
      condition,
      'condition',
    ),
    email: textOrList(
      'Where the email is in the body; a list of places where it may be in several: all that are there must be equal.',
      'field-path',
      10,
    ),
    mode: choice('monitor judges, logs and marks, but always forwards.', ['enforce', 'monitor']),
    on_low: choice('At low risk.', ACTIONS),
    on_medium: choice('At medium risk.', ACTIONS),
    on_high: choice('At high risk.', ACTIONS),
    on_error: choice('When there is no decision.', ACTIONS),
    on_missing_email: choice('When the body has no email.', ['block', 'forward']),
    verify: section('How a sender verifies.', {
      by: choice('A mail from here, the app itself (upstream), or another page (redirect).', [
        'email',
        'upstream',
        'redirect',
      ]),
      url: nullable(text('Where `by: redirect` sends people.', 'web-url'), 'none'),
      parameter: text('The query parameter that carries the signed token there.', 'query-parameter'),
    }),
    levels: section('Levels of this route alone.', {
      low: nullable(integer('The lowest score of low risk.', score), '`scoring.levels.low`'),
      medium: nullable(integer('The lowest score of medium risk.', score), '`scoring.levels.medium`'),
    }),
    max_body: text('Larger bodies are refused with 413; files of a form do not count.', 'size'),
    max_upload: text('Forms with files are refused with 413 when they are larger.', 'size'),
    block_page: nullable(text('An HTML file for blocked browsers.', 'file'), 'the built-in page'),
  },
  ['path'],
);

/** The gate: active when the file has a `proxy` part. */
export const proxySchema = section(
  'The gate: a reverse proxy that judges signups on their way to the app.',
  {
    listen: textOrPort(
      'Where the gate listens. It may equal `api.listen`. A port alone is one of this machine alone.',
      'listen-address',
    ),
    upstream: textOrPort(
      'The app behind the gate. `localhost:3000` is `http://localhost:3000`, and so is 3000.',
      'upstream',
      1,
    ),
    public_url: nullable(
      text('Where visitors reach the gate: for links in mails and redirects.', 'origin'),
      'the address of `listen`, on loopback or while no route needs it',
    ),
    trusted_proxies: list(
      'Networks of the proxies in front, whose forwarding header is believed.',
      text('One address or network.', 'cidr'),
      1_000,
    ),
    client_ip_header: text('The header that these proxies write the client address into.', 'header-name'),
    timeouts: section('Patience with the upstream.', {
      connect: text('Until connected; then 502.', 'duration'),
      response: text('Until the head of the answer, and between its bytes; then 504.', 'duration'),
    }),
    tls: section('The certificate with which the gate speaks TLS itself.', {
      cert: nullable(text('A PEM file with the certificate and its chain.', 'file'), 'plain HTTP'),
      key: nullable(text('A PEM file with the private key.', 'file'), 'plain HTTP'),
    }),
    proxy_protocol: flag('Whether the trusted proxies speak the PROXY protocol, version 1 or 2.'),
    max_upstream_connections: integer('Open connections to the upstream.', {
      minimum: 1,
      maximum: 100_000,
      unit: 'connections',
    }),
    watch: flag(
      'Whether bodies that are not judged are looked at in passing: those that have the email field of a route, or an ' +
        'email and a password, are counted by method and path and shown on the overview.',
    ),
    routes: list('The signup routes.', route, 1_000),
  },
  ['upstream'],
);
