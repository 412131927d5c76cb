import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { check } from '../../src/cli/check.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';

async function run(
  t: ExecutionContext,
  text: string | null,
  { config = null as string | null, print = false, env = {} as Record<string, string> } = {},
) {
  const cwd = mkdtempSync(join(tmpdir(), 'check-'));
  t.teardown(() => rmSync(cwd, { recursive: true }));
  if (text !== null) writeFileSync(join(cwd, 'gatekeeper.yaml'), text, { mode: 0o600 });
  const output = { code: 0, out: '', err: '' };
  const context: CommandContext = {
    cwd,
    env,
    write: (written) => {
      output.out += written;
    },
    writeError: (written) => {
      output.err += written;
    },
    isTerminal: false,
    hasColour: false,
  };
  output.code = await check({ ...(config !== null && { config }), print }, context);
  return output;
}

test('a valid file and a missing default file are valid', async (t) => {
  t.deepEqual(await run(t, 'workers: 1\n'), { code: 0, out: 'gatekeeper.yaml is valid\n', err: '' });
  t.deepEqual(await run(t, null), { code: 0, out: 'The default configuration is valid\n', err: '' });
});

test('errors go to standard error, one per line, and return 1', async (t) => {
  const text =
    'proxy:\n  upstream: http://127.0.0.1:3000\n  routes:\n    - {name: a, path: /a, metods: [POST], mode: monitor}\nworkers: 0\n';
  t.deepEqual(await run(t, text), {
    code: 1,
    out: '',
    err: `gatekeeper.yaml:4:27 proxy.routes[0].metods: unknown key; did you mean "methods"?
gatekeeper.yaml:5:10 workers: expected a whole number from 1 to 256 (processes), not "0"
2 mistakes
`,
  });
});

test('a named file that does not exist is an error', async (t) => {
  const { code, err } = await run(t, 'workers: 1\n', { config: 'other.yaml' });
  t.is(code, 1);
  t.regex(err, /^other\.yaml:1:1: cannot read the configuration file: it does not exist/);
});

test('what this version cannot serve is an error, as at the start', async (t) => {
  const { code, err } = await run(t, 'workers: 2\n');
  t.is(code, 1);
  t.regex(
    err,
    /^workers: several processes count together in Redis only; set storage\.counters.*\n1 mistake\n$/,
  );
});

test('files that are there but of no use are errors, as at the start', async (t) => {
  const own = 'gatekeeper.yaml';
  const key = '-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----';
  const { code, err } = await run(
    t,
    `proxy: {listen: 8000, upstream: 3000, tls: {cert: ${own}, key: ${own}}}
datasets: {asn_mmdb: ${own}}
assertion: {keys: [{id: a, private_key: "${key}"}]}
storage: {records: "sqlite:${own}/data/gatekeeper.db"}
`,
  );
  t.is(code, 1);
  t.regex(
    err,
    /^proxy\.tls: \S+ and \S+ are not a certificate and its key in PEM[^\n]*\nassertion\.keys: the private_key of "a"[^\n]*\n[^\n]*gatekeeper\.yaml[^\n]*\nstorage\.records: cannot write in \S+: it is not a folder[^\n]*\n4 mistakes\n$/,
  );
});

test('a file that is no database, or a folder in its place, is an error, as at the start', async (t) => {
  const refused = {
    'sqlite:gatekeeper.yaml':
      /^The database \S+gatekeeper\.yaml is damaged: it does not begin like a SQLite database\./,
    'sqlite:.': /^The database \S+ is not a file: name one in storage\.records\.\n1 mistake\n$/,
  };
  for (const [records, expected] of Object.entries(refused)) {
    const { code, err } = await run(t, `storage: {records: "${records}"}\n`);
    t.is(code, 1, records);
    t.regex(err, expected);
  }
});

test('a damaged secrets file is an error, as at the start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'check-secrets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secrets.json'), '{}');
  const { code, err } = await run(t, `storage: {records: "sqlite:${folder}/gatekeeper.db"}\n`);
  t.is(code, 1);
  t.regex(err, /^The secrets in \S+secrets\.json are damaged: restore [^\n]*\n1 mistake\n$/);
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

test('every unreadable file of the configuration is an error', async (t) => {
  const proxy = 'proxy:\n  upstream: http://127.0.0.1:3000\n  tls: {cert: a.pem, key: b.pem}\n  routes:\n';
  const route =
    '    - {name: web, path: /a, mode: monitor, verify: {by: upstream}, block_page: sorry.html}\n';
  const { code, err } = await run(t, `${proxy}${route}datasets: {asn_mmdb: .}\n`);
  t.is(code, 1);
  t.regex(
    err.replaceAll(/\/\S*\//g, '/'),
    /^proxy\.tls\.cert: cannot read \/a\.pem: it does not exist\nproxy\.tls\.key: cannot read \/b\.pem: it does not exist\nthe block_page of route "web": cannot read \/sorry\.html: it does not exist\ndatasets\.asn_mmdb: cannot read \S+: it is not a regular file\n4 mistakes\n$/,
  );
});

test('a route for GET gives a warning, since GET has no body', async (t) => {
  const proxy = 'proxy:\n  upstream: http://127.0.0.1:3000\n  routes:\n';
  const route = '    - {name: web, path: /a, methods: [get, POST], mode: monitor, verify: {by: upstream}}\n';
  const { code, err } = await run(t, proxy + route);
  t.is(code, 0);
  t.regex(err, /^warning: gatekeeper\.yaml:4:\d+ proxy\.routes\[0\]\.methods: a GET request has no body/m);
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

test('a decision log in the place of a folder is an error, as at the start', async (t) => {
  const { code, err } = await run(t, 'log: {decisions: {to: .}}\n');
  t.is(code, 1);
  t.regex(err, /log\.decisions\.to: cannot write .*: it is a folder\. Name a file, or write stdout\./);
});

test('secrets that nodes on PostgreSQL need are named all at once, as at the start', async (t) => {
  const gate = 'proxy: {upstream: "http://127.0.0.1:3000", routes: [{path: /signup, mode: monitor}]}\n';
  const records = 'storage: {records: "postgres://u:hunter2@db.example/gk"}\n';
  const { code, err } = await run(t, gate + records);
  t.is(code, 1);
  t.deepEqual(
    err.split('\n').map((line) => line.split(':')[0]),
    ['privacy.hash_secret', 'verification.hold_secrets', 'assertion.keys', '3 mistakes', ''],
  );
  const secret = '0123456789abcdef0123456789abcdef';
  const secrets = `privacy: {hash_secret: ${secret}}\nverification: {hold_secrets: [${secret}]}\nassertion: {keys: [{id: k1, secret: ${secret}}]}\n`;
  t.like(await run(t, gate + records + secrets), { code: 0, out: 'gatekeeper.yaml is valid\n' });
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

test('check reports one mistake once, although two checks find it', async (t) => {
  const { code, err } = await run(t, 'storage: {records: "sqlite::memory:"}\n');
  t.is(code, 1);
  t.regex(err, /^storage\.records must be sqlite: and the path of a file[^\n]*\n1 mistake\n$/);
});
