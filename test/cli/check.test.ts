import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { run } from './run-check.ts';

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

test('check reports one mistake once, although two checks find it', async (t) => {
  const { code, err } = await run(t, 'storage: {records: "sqlite::memory:"}\n');
  t.is(code, 1);
  t.regex(err, /^storage\.records must be sqlite: and the path of a file[^\n]*\n1 mistake\n$/);
});
