import { fileURLToPath } from 'node:url';
import test from 'ava';
import { run } from './run-check.ts';

test('a valid file and a missing default file are valid', async (t) => {
  t.deepEqual(await run(t, 'workers: 1\n'), { code: 0, out: 'gatekeeper.yaml is valid\n', err: '' });
  t.deepEqual(await run(t, null), { code: 0, out: 'The default configuration is valid\n', err: '' });
});

test('passwords in URLs with several hosts are not printed', async (t) => {
  const { code, out, err } = await run(
    t,
    'storage: {counters: "redis+cluster://gate:hunter2@a:7000,b:7001"}\n',
    {
      print: true,
    },
  );
  t.is(code, 0);
  t.true(out.includes('redis+cluster://gate:redacted@a:7000,b:7001'));
  t.false(`${out}${err}`.includes('hunter2'));
});

test('warnings are printed and return 0', async (t) => {
  const { code, err } = await run(t, 'assertion: {keys: [{id: a, secret: short}]}\n');
  t.is(code, 0);
  t.regex(err, /^warning: gatekeeper\.yaml:1:\d+ assertion\.keys\[0\]\.secret: shorter than 32 bytes/);
});

test('--print shows what is in effect, the defaults too, without its secrets', async (t) => {
  const { code, out } = await run(t, 'privacy: {hash_secret: hunter2}\nlog: {level: warn}\n', {
    print: true,
  });
  t.is(code, 0);
  t.regex(out, /^ {2}level: warn$/m);
  t.regex(out, /^ {2}hash_secret: redacted$/m);
  t.regex(out, /^ {2}listen: 127\.0\.0\.1:8080$/m);
  t.false(out.includes('hunter2'));
});

test('--print spells out what the file leaves short, and where links lead', async (t) => {
  const pem = (name: string) => fileURLToPath(new URL(`../http/testdata/${name}`, import.meta.url));
  const tls = `tls: {cert: "${pem('one.crt')}", key: "${pem('one.key')}"}`;
  const print = (proxy: string) => run(t, `proxy: {${proxy}, routes: [{path: /signup}]}\n`, { print: true });
  const { code, out } = await print('listen: 8000, upstream: localhost:3000');
  t.is(code, 0);
  t.regex(out, /^ {2}listen: 127\.0\.0\.1:8000$/m);
  t.regex(out, /^ {2}upstream: http:\/\/localhost:3000$/m);
  t.regex(out, /^ {2}public_url: http:\/\/127\.0\.0\.1:8000$/m);
  t.regex(out, /^ {2}public_url: http:\/\/127\.0\.0\.1:8081$/m);
  t.regex(out, /^ {4}- name: signup$/m);
  t.regex(out, /^ {6}email: email$/m);
  t.regex((await print('listen: 0, upstream: 3000')).out, /^ {2}public_url: null$/m);
  t.regex(
    (await print(`listen: 8000, upstream: 3000, ${tls}`)).out,
    /^ {2}public_url: https:\/\/127\.0\.0\.1:8000$/m,
  );
  t.is((await print('listen: "0.0.0.0:8000", upstream: 3000')).code, 1);
});

const EVERY_PART = `# yaml-language-server: $schema=config/gatekeeper.schema.json
api:
  listen: 127.0.0.1:8080
  keys:
    - {name: ci, sha256: "${'0a'.repeat(32)}", plan: unlimited}
  plans:
    hobby: {requests_per_month: 1000}
    pro: {requests_per_month: 50000, requests_per_minute: 100}
    unlimited: {}
proxy:
  listen: 0.0.0.0:8000
  upstream: http://127.0.0.1:3000
  public_url: https://app.example
  trusted_proxies: [10.0.0.0/8]
  client_ip_header: x-forwarded-for
  timeouts: {connect: 5s, response: 60s}
  watch: true
  routes:
    - name: web
      methods: [POST]
      path: /signup
      email: email
      form: /signup
      mode: monitor
      on_low: forward
      on_medium: verify
      on_high: block
      on_error: forward
      verify: {by: email}
    - name: graphql
      path: /graphql
      when: {operationName: SignUp}
      email: variables.input.email
scoring:
  weights: {email: 40, ip_address: 30, velocity: 20, user_agent: 10}
  levels: {low: 70, medium: 40}
  caps: {one_high_factor: 69, two_high_factors: 39, decisive: 20}
  decisive: [disposable_email, undeliverable_email, invalid_email]
  points: {subaddressed_email: 0}
  velocity: {ip: {per_hour: 20}}
  dns: {enabled: true, timeout: 150ms, servers: []}
  deadline: 250ms
lists:
  allow: [partner.example, 198.51.100.7]
  deny: [bad.example, someone@example.net, 203.0.113.0/24, AS64500]
storage: {records: "sqlite:./data/gatekeeper.db", counters: memory}
datasets:
  refresh: off
  asn_mmdb: null
  feeds:
    - tor-exits
    - {name: my-list, kind: tor, url: "https://example.net/exits.txt"}
mail: {smtp: null, from: "Signup <no-reply@example.com>"}
assertion: {keys: [{id: k1, secret: "\${GATEKEEPER_ASSERTION_SECRET}"}]}
dashboard: {listen: 127.0.0.1:8081, registration: closed}
privacy: {retention: 90d, store_plain: false, hash_secret: "\${GATEKEEPER_HASH_SECRET}"}
log: {level: info, format: json}
workers: 1
`;

test('a file with every part is valid', async (t) => {
  const env = {
    GATEKEEPER_ASSERTION_SECRET: 'an assertion secret of the test, long enough',
    GATEKEEPER_HASH_SECRET: 'a hash secret of the test, long enough',
  };
  const { code, out, err } = await run(t, EVERY_PART, { env });
  t.deepEqual({ code, out }, { code: 0, out: 'gatekeeper.yaml is valid\n' }, err);
  t.notRegex(err, /form/);
});

test('the pages of a form are printed as they are configured', async (t) => {
  const text = 'proxy: {upstream: "3000", routes: [{path: /a, mode: monitor, form: [/a, /join/:plan]}]}\n';
  const { code, out } = await run(t, text, { print: true });
  t.is(code, 0);
  t.regex(out, /form:\s+- \/a\s+- \/join\/:plan/);
});
