import test from 'ava';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load.ts';
import { knownNames } from './known-names.ts';

const load = (text: string) => loadConfig({ file: 'gatekeeper.yaml', text, env: {}, knownNames });
const gate = (lines: string) => `proxy:\n  listen: 8000\n  upstream: localhost:3000\n${lines}`;
const route = (lines: string) => gate(`  routes:\n    - path: /signup\n      ${lines}\n`);

const accepted: readonly (readonly [guess: string, text: string])[] = [
  ['a port for listen', gate('  routes:\n    - path: /signup\n')],
  [
    'a port after a colon',
    'proxy:\n  listen: :8000\n  upstream: localhost:3000\n  routes: [{path: /signup}]\n',
  ],
  ['ports alone', 'proxy: {listen: 8000, upstream: 3000, routes: [{path: /signup}]}\n'],
  ['localhost', 'proxy: {listen: "localhost:8000", upstream: "localhost:3000", routes: [{path: /signup}]}\n'],
  [
    'no listen in a dry run',
    'proxy: {upstream: "localhost:3000", routes: [{path: /signup, mode: monitor}]}\n',
  ],
  [
    'a URL with a slash',
    'proxy: {listen: 8000, upstream: "http://127.0.0.1:3000/", routes: [{path: /signup}]}\n',
  ],
];
for (const [guess, text] of accepted) {
  test(`${guess} is a gate on port 8000 for the app on port 3000`, (t) => {
    const { proxy } = load(text).config;
    t.regex(proxy?.listen ?? '', /^(?:127\.0\.0\.1|localhost|0\.0\.0\.0):8000$/);
    t.regex(proxy?.upstream ?? '', /^http:\/\/(?:localhost|127\.0\.0\.1):3000$/);
    t.deepEqual(
      proxy?.routes.map(({ name, email }) => [name, email]),
      [['signup', ['email']]],
    );
  });
}

const KEYS_OF_THE_FILE =
  'expected preset, api, proxy, scoring, lists, storage, datasets, mail, site, verification, review, assertion, dashboard, privacy, log, telemetry, exports, alerts, server or workers';
const PATH = 'expected a path such as /signup, /users/:id, /api/*/signup or /join/**';
const ORIGIN = 'expected an absolute http or https URL without path, such as http://127.0.0.1:3000';
const DURATION = 'expected a duration such as 150ms, 5s, 30m, 24h or 90d';
const LIST_ENTRY =
  'expected a mailbox, a domain, an address, a network such as 203.0.113.0/24, AS64500, a country such as XK or a pattern such as pattern:promo.user#';

/** Each whole message, so that a reader sees what a user sees. */
const refused: readonly (readonly [text: string, message: string])[] = [
  [
    'listen: 8000\nupstream: localhost:3000\nroutes:\n  - path: /signup\n',
    '1:1 listen: unknown key; it belongs under `proxy:`\n' +
      'gatekeeper.yaml:2:1 upstream: unknown key; it belongs under `proxy:`\n' +
      'gatekeeper.yaml:3:1 routes: unknown key; it belongs under `proxy:`\n' +
      'Write:\n\nproxy:\n  listen: 8000\n  upstream: localhost:3000\n  routes:\n    - path: /signup\n',
  ],
  [
    'upstream: localhost:3000\n',
    '1:1 upstream: unknown key; it belongs under `proxy:`\n' +
      'Write:\n\nproxy:\n  listen: 127.0.0.1:8000\n  upstream: localhost:3000\n',
  ],
  [
    'listen: 0.0.0.0:8000\nroutes: [{path: /signup}]\n',
    '1:1 listen: unknown key; it belongs under `proxy:`\n' +
      'gatekeeper.yaml:2:1 routes: unknown key; it belongs under `proxy:`\n' +
      'Write:\n\nproxy:\n  listen: 0.0.0.0:8000\n  upstream: http://127.0.0.1:3000\n' +
      '  public_url: https://app.example\n  routes:\n    - path: /signup\n',
  ],
  [
    'port: 8000\ntarget: localhost:3000\n',
    '1:1 port: unknown key; it belongs under `proxy:` as "listen"\n' +
      'gatekeeper.yaml:2:1 target: unknown key; it belongs under `proxy:` as "upstream"\n' +
      'Write:\n\nproxy:\n  listen: 8000\n  upstream: localhost:3000\n',
  ],
  ['gate:\n  upstream: localhost:3000\n', '1:1 gate: unknown key; did you mean "proxy"?'],
  ['smtp: smtp://localhost:25\n', '1:1 smtp: unknown key; it belongs under `mail:`'],
  ['allow: [partner.example]\n', '1:1 allow: unknown key; it belongs under `lists:`'],
  ['retention: 30d\n', '1:1 retention: unknown key; it belongs under `privacy:`'],
  ['api_key: abc\n', `1:1 api_key: unknown key; ${KEYS_OF_THE_FILE}`],
  [
    'proxy: localhost:3000\n',
    '1:8 proxy: expected a mapping with upstream, not text; write {upstream: localhost:3000}',
  ],
  ['proxy:\n  listen: 8000\n  routes:\n    - path: /signup\n', `1:1 proxy.upstream: missing; ${ORIGIN}`],
  [
    'proxy:\n  port: 8000\n  upstream: localhost:3000\n  routes: [{path: /signup}]\n',
    '2:3 proxy.port: unknown key; did you mean "listen"?',
  ],
  [
    'proxy:\n  listen: 8000\n  backend: localhost:3000\n',
    '3:3 proxy.backend: unknown key; did you mean "upstream"?',
  ],
  [gate('  mode: monitor\n'), '4:3 proxy.mode: unknown key; it belongs to each item of `proxy.routes:`'],
  [
    gate('  routes:\n    - /signup\n'),
    '5:7 proxy.routes[0]: expected a mapping with path, not text; write {path: /signup}',
  ],
  [gate('  routes: /signup\n'), '4:11 proxy.routes: expected a list, not text; write [{path: /signup}]'],
  [
    gate('  routes:\n    path: /signup\n'),
    '5:5 proxy.routes: expected a list, not a mapping; begin the item with "- ", as in a list',
  ],
  [gate('  routes:\n    - url: /signup\n'), '5:7 proxy.routes[0].url: unknown key; did you mean "path"?'],
  [
    gate('  routes:\n    - path: signup\n'),
    `5:13 proxy.routes[0].path: ${PATH}, not "signup"; did you mean "/signup"?`,
  ],
  [
    gate('  routes:\n    - path: https://app.example/signup?a=b\n'),
    `5:13 proxy.routes[0].path: ${PATH}, not "https://app.example/signup?a=b"; did you mean "/signup"? If the path has other forms too, add when: {EMAIL: {exists: true}} with the field of the email`,
  ],
  [route('email_field: mail'), '6:7 proxy.routes[0].email_field: unknown key; did you mean "email"?'],
  [route('method: [POST]'), '6:7 proxy.routes[0].method: unknown key; did you mean "methods"?'],
  [route('methods: POST'), '6:16 proxy.routes[0].methods: expected a list, not text; write [POST]'],
  [
    route('verify: upstream'),
    '6:15 proxy.routes[0].verify: expected a mapping with by, url, parameter, not text; write {by: upstream}',
  ],
  [
    route('on_high: deny'),
    '6:16 proxy.routes[0].on_high: expected forward, verify or block, not "deny"; did you mean "block"?',
  ],
  [
    route('mode: dry-run'),
    '6:13 proxy.routes[0].mode: expected enforce or monitor, not "dry-run"; did you mean "monitor"?',
  ],
  [route('when: operationName'), '6:13 proxy.routes[0].when: expected a mapping, not text'],
  [
    'proxy:\n  listen: 0.0.0.0\n  upstream: localhost:3000\n',
    '2:11 proxy.listen: expected host:port, such as 127.0.0.1:8080 or [::1]:8080, not "0.0.0.0"; add a port, such as 0.0.0.0:8000',
  ],
  [
    'proxy:\n  listen: http://localhost:8000\n  upstream: localhost:3000\n',
    '2:11 proxy.listen: expected host:port, such as 127.0.0.1:8080 or [::1]:8080, not "http://localhost:8000"; did you mean "localhost:8000"?',
  ],
  [
    'proxy:\n  listen: 8000\n  upstream: localhost\n',
    `3:13 proxy.upstream: ${ORIGIN}, not "localhost"; begin with http:// or https://: http://localhost`,
  ],
  [
    'proxy:\n  listen: 8000\n  upstream: http://localhost:3000/app\n',
    `3:13 proxy.upstream: ${ORIGIN}, not "http://localhost:3000/app"; leave out path, query and user: http://localhost:3000`,
  ],
  [
    'storage:\n  records: sqlite:~/gatekeeper.db\n',
    '2:12 storage.records: expected sqlite: and a path without ~, or a postgres:// URL with one host, not the present value',
  ],
  [
    'proxy:\n  listen: 8000\n  upstream: localhost:0\n',
    `3:13 proxy.upstream: ${ORIGIN}, not "localhost:0"; write the port of the app: no server is at port 0`,
  ],
  [
    gate('  public_url: app.example\n'),
    `4:15 proxy.public_url: ${ORIGIN}, not "app.example"; begin with http:// or https://: https://app.example`,
  ],
  [
    'proxy:\n  upstream: localhost:3000\n  routes: [{path: /signup}]\n',
    '1:1 proxy.public_url: missing; route "signup" verifies by email, with links that start with it; ' +
      'write the URL at which visitors reach the gate, such as https://app.example, or listen: 127.0.0.1:8000 to try it on this machine',
  ],
  [
    gate('  trusted_proxies: 10.0.0.0/8\n'),
    '4:20 proxy.trusted_proxies: expected a list, not text; write [10.0.0.0/8]',
  ],
  ['api:\n  port: 8080\n', '2:3 api.port: unknown key; did you mean "listen"?'],
  ['lists:\n  blocklist: [bad.example]\n', '2:3 lists.blocklist: unknown key; did you mean "deny"?'],
  [
    'scoring:\n  dns: false\n',
    '2:8 scoring.dns: expected a mapping with enabled, timeout, servers, not the boolean false; write {enabled: false}',
  ],
  [
    'dashboard: false\n',
    '1:12 dashboard: expected a mapping with listen, public_url, trusted_proxies, registration, …, not the boolean false; ' +
      'it cannot be turned off; with {listen: 127.0.0.1:PORT}, only this machine reaches it',
  ],
  ['proxy: off\n', '1:8 proxy: expected a mapping with upstream, not text; leave it out to turn it off'],
  [
    'privacy: true\n',
    '1:10 privacy: expected a mapping with retention, store_plain, hash_secret, not the boolean true',
  ],
  [
    'review: true\n',
    '1:9 review: expected a mapping with keep_refused, max_kept, max_kept_size, not the boolean true; write {keep_refused: true}',
  ],
  [
    'privacy:\n  retention: 90\n',
    `2:14 privacy.retention: ${DURATION}, not the number 90; add a unit: 90s, 90m, 90h, 90d`,
  ],
  [
    'privacy:\n  retention: 90 days\n',
    `2:14 privacy.retention: ${DURATION}, not "90 days"; did you mean "90d"?`,
  ],
  [
    'datasets:\n  refresh: daily\n',
    '2:12 datasets.refresh: expected off, or a duration such as 30m, 24h or 7d, not "daily"; did you mean "24h"?',
  ],
  [
    'log: debug\n',
    '1:6 log: expected a mapping with level, format, decisions, not text; write {level: debug}',
  ],
  [
    'log:\n  level: warning\n',
    '2:10 log.level: expected debug, info, warn, error or silent, not "warning"; did you mean "warn"?',
  ],
  [
    'storage: redis://localhost\n',
    '1:10 storage: expected a mapping with records, max_decisions, max_size, max_test_decisions, …, not text; write it under "counters"',
  ],
  ['scoring: {levels: {low:80}}\n', '1:20 scoring.levels.low:…: unknown key; write a space after the colon'],
  ['log.level: debug\n', '1:1 log.level: unknown key; write "level" under `log:`'],
  [
    gate('  routes:\n    - path:/signup\n'),
    '5:7 proxy.routes[0]: expected a mapping with path, not text; write a space after the colon',
  ],
  [
    gate('  routes:\n    -path: /signup\n'),
    '5:5 proxy.routes: expected a list, not a mapping; write a space after the dash',
  ],
  ['preset: {name: shop}\n', '1:9 preset: expected saas, shop, forum, strict or private, not a mapping'],
  [
    'dashboard: {registration: true}\n',
    '1:27 dashboard.registration: expected closed or open, not the boolean true',
  ],
  [
    'scoring: {points: {vpn: 10}}\n',
    '1:20 scoring.points.vpn: there is no reason "vpn"; did you mean "vpn_ip"?',
  ],
  [
    'lists: {deny: [203.0.113.7/24]}\n',
    `1:16 lists.deny[0]: ${LIST_ENTRY}, not "203.0.113.7/24"; did you mean "203.0.113.0/24"?`,
  ],
  [
    'lists: {deny: [203.0.113.0/33]}\n',
    `1:16 lists.deny[0]: ${LIST_ENTRY}, not "203.0.113.0/33"; prefixes of IPv4 end at /32`,
  ],
  [
    'proxy:\n\tupstream: localhost:3000\n',
    '2:1: not YAML: tabs are not allowed as indentation; indent with spaces',
  ],
];
for (const [text, message] of refused) {
  test(`${JSON.stringify(text)} is refused with the way to correct it`, (t) => {
    const error = t.throws(() => load(text), { instanceOf: ConfigError });
    t.is(error.message, `gatekeeper.yaml:${message}`);
  });
}

test('a corrected section is shown only when the whole file would be accepted with it', (t) => {
  const error = t.throws(() => load('listen: 8000\nupstream: localhost:3000\nworkers: 0\n'));
  t.notRegex(error.message, /Write:/);
  t.throws(() => load('listen: 8000\nproxy: {listen: 8001, upstream: 3000}\n'), { message: /^[^\n]*$/ });
});

test('a corrected section keeps placeholders', (t) => {
  const text = `upstream: "http://\${APP}:3000"\n`;
  const error = t.throws(() =>
    loadConfig({ file: 'gatekeeper.yaml', text, env: { APP: 'hunter2' }, knownNames }),
  );
  t.regex(error.message, /upstream: http:\/\/\$\{APP\}:3000/);
  t.false(error.message.includes('hunter2'));
});
