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
  description: 'The expected value, or {exists: true}.',
  properties: { exists: { type: 'boolean', enum: [true], description: 'Any value matches.' } },
  required: ['exists'],
  additionalProperties: false,
});

const route = section(
  'One signup route. The first matching route decides.',
  {
    name: derived(
      text('Name of the route in decisions, logs and metrics.', 'name'),
      'made from the path: `signup` for `/signup`',
    ),
    methods: nullable(
      list('Methods that the route judges.', text('One method.', 'method'), 20),
      'POST, and any other method whose body has the email',
    ),
    path: text('Segments: literal, `:param`, `*` for one segment, a last `**` for the rest.', 'route-path'),
    when: record(
      'Conditions: body fields (`header:name` and `query:name` for headers and query parameters) with the values that a request ' +
        'needs to match the route. For GraphQL and for apps with one path for all operations. `{exists: true}` accepts any ' +
        'value. `operationName` matches every GraphQL document that contains the name, because senders choose operation ' +
        'names. With an email it also matches every stored document. Write the field of the mutation (`signUp`).',
      condition,
      'condition',
    ),
    email: textOrList(
      'Field of the email in the body, or a list of fields. When several of these fields are present, they must be equal.',
      'field-path',
      10,
    ),
    form: nullable(
      textOrList(
        'The pages with the form, as paths, or `any` for any page. People load such a page before they sign up. A signup ' +
          'without such a visit gets the finding `no_form_visit`.',
        'form-page',
        10,
      ),
      'visits are not recorded',
    ),
    mode: choice(
      'enforce takes the action of the decision. monitor judges, logs and marks each signup, but always forwards it.',
      ['enforce', 'monitor'],
    ),
    on_low: choice('Action at low risk.', ACTIONS),
    on_medium: choice('Action at medium risk.', ACTIONS),
    on_high: choice('Action at high risk.', ACTIONS),
    on_error: choice('Action when there is no decision.', ACTIONS),
    on_missing_email: choice('Action when the body has no email.', ['block', 'forward']),
    verify: section('How a sender verifies.', {
      by: choice(
        'email: Gatekeeper sends a mail. upstream: the app verifies. redirect: the page at `url` verifies the sender.',
        ['email', 'upstream', 'redirect'],
      ),
      url: nullable(text('Page to which `by: redirect` sends the browser.', 'web-url'), 'none'),
      parameter: text('Query parameter of that page for the signed token.', 'query-parameter'),
    }),
    levels: section('Levels of this route.', {
      low: nullable(integer('The lowest score of low risk.', score), '`scoring.levels.low`'),
      medium: nullable(integer('The lowest score of medium risk.', score), '`scoring.levels.medium`'),
    }),
    max_body: text(
      'Largest body, at most 256 MB divided by `workers`. The gate refuses larger bodies with 413. Files of a form do not count.',
      'size',
    ),
    max_upload: text(
      'Largest form with files, at least `max_body`. The gate refuses larger forms with 413.',
      'size',
    ),
    block_page: nullable(text('HTML file of the block page.', 'file'), 'the built-in page'),
  },
  ['path'],
);

/** The gate: active when the file has a `proxy` part. */
export const proxySchema = section(
  'The gate: a reverse proxy that judges signups before it forwards them to the app.',
  {
    listen: textOrPort(
      'Where the gate listens. It may equal `api.listen`. A port without a host listens on 127.0.0.1.',
      'listen-address',
    ),
    upstream: textOrPort(
      'The app behind the gate. `localhost:3000` and `3000` both mean `http://localhost:3000`.',
      'upstream',
      1,
    ),
    public_url: nullable(
      text('URL of the gate for visitors, used in mails and redirects.', 'origin'),
      'the address of `listen`, on loopback or when no route needs the URL',
    ),
    origins: list(
      'Origins of front ends on other hosts, such as `https://app.example`. Their scripts may read the own answers of the ' +
        'gate (CORS), and send codes.',
      text('One origin.', 'origin'),
      100,
    ),
    trusted_proxies: list(
      'Networks of the proxies in front of the gate. The gate trusts their forwarding header.',
      text('One address or network.', 'cidr'),
      1_000,
    ),
    client_ip_header: text('Header in which these proxies write the client address.', 'address-header'),
    forward_auth: nullable(
      text(
        'Secret text. With it, a trusted proxy asks at `/.gatekeeper/check/TEXT` whether it may forward a request.',
        'check-token',
        { secret: 'whole' },
      ),
      'no proxy may ask',
    ),
    timeouts: section('Timeouts of the upstream.', {
      connect: text('Time to connect. After it, the client gets 502.', 'timeout'),
      response: text(
        'Time until the head of the answer. After it, the client gets 504. Each interim answer of the app (102 Processing) begins the time anew, up to ten times this time in all. The body of an answer may pause for any time.',
        'timeout',
      ),
    }),
    tls: section('Certificate of the gate for TLS.', {
      cert: nullable(text('PEM file with the certificate and its chain.', 'file'), 'plain HTTP'),
      key: nullable(text('PEM file with the private key.', 'file'), 'plain HTTP'),
    }),
    proxy_protocol: flag('Whether the trusted proxies send the PROXY protocol, version 1 or 2.'),
    max_upstream_connections: integer('Limit of open connections to the upstream, without WebSockets.', {
      minimum: 1,
      maximum: 100_000,
      unit: 'connections',
    }),
    watch: flag(
      'Whether the gate inspects bodies that no route judges. When a body has the email field of a route, or an email and ' +
        'a password, the gate counts it by method and path, and the overview shows it.',
    ),
    routes: list('The signup routes.', route, 1_000),
  },
  ['upstream'],
);
