import test from 'ava';
import { formatYaml } from '../../src/config/format-yaml.ts';
import { loadConfig } from '../../src/config/load.ts';
import { findSecrets, redactDocument } from '../../src/config/redact.ts';
import { knownNames } from './known-names.ts';

const TEXT = `
storage: {records: "postgres://gk:hunter2@db/gk?sslmode=require&sslrootcert=/etc/ssl/certs/root-2024.pem", counters: "redis+sentinel://gate:hunter2@a:26379,b:26379/main?sentinel_user=watch&sentinel_password=hunter2"}
mail: {smtp: "smtp://post:hunter2@mail.example:587", from: "\${file:sender}"}
assertion:
  keys:
    - {id: k1, secret: "hunter2hunter2hunter2hunter2hunter2"}
    - {id: k2, private_key: "-----BEGIN PRIVATE KEY-----\\nhunter2\\n-----END PRIVATE KEY-----"}
dashboard: {metrics_token: "hunter2hunter2hunter2hunter2hunter2"}
privacy: {hash_secret: "\${SECRET}"}
datasets:
  feeds:
    - {name: a, kind: tor, url: "https://hunter2@example.net/list?license_key=hunter2&edition=7&k=hunter2Hunter2hunter2"}
    - {name: b, kind: tor, url: "https://example.net/open"}
exports:
  - {name: warehouse, url: "https://gate:hunter2@example.net/in?code=hunter2", secrets: ["whsec_hunter2hunter2hunter2hunter2hunter2hunte"]}
`;

function load() {
  return loadConfig({
    file: null,
    text: TEXT,
    env: { SECRET: 'hunter2' },
    knownNames,
    readFile: () => ({ text: 'Hunter <hunter2@example.com>', openToOthers: false }),
  });
}

test('no secret is printed, whatever its source, and other values stay readable', (t) => {
  const { document, secretPlaces } = load();
  const printed = formatYaml(redactDocument(document, secretPlaces));
  t.false(printed.includes('hunter2'), printed);
  for (const kept of [
    'gk:redacted@db/gk?sslmode=require&sslrootcert=/etc/ssl/certs/root-2024.pem',
    'gate:redacted@example.net/in?code=redacted',
    'smtp://post:redacted@mail.example:587',
    'edition=7',
    'https://example.net/open',
    'id: k1',
    'gate:redacted@a:26379,b:26379/main?sentinel_user=watch&sentinel_password=redacted',
  ]) {
    t.true(printed.includes(kept), kept);
  }
});

test('the printed configuration is valid and has the same effect, except for the secrets', (t) => {
  const { document, config } = loadConfig({
    file: null,
    text: 'workers: 3\nproxy: {upstream: "http://127.0.0.1:1"}',
    env: {},
    knownNames,
  });
  const again = loadConfig({
    file: null,
    text: formatYaml(redactDocument(document, new Set())),
    env: {},
    knownNames,
  });
  t.deepEqual(again.config, config);
});

test('the places of secrets are those that are set', (t) => {
  t.deepEqual(findSecrets(load().document), [
    '/storage/records',
    '/storage/counters',
    '/datasets/feeds/0/url',
    '/mail/smtp',
    '/assertion/keys/0/secret',
    '/assertion/keys/1/private_key',
    '/dashboard/metrics_token',
    '/privacy/hash_secret',
    '/exports/0/url',
    '/exports/0/secrets/0',
  ]);
  t.deepEqual(findSecrets(loadConfig({ file: null, env: {}, knownNames }).document), []);
});

test('a value that looks like a placeholder survives printing and reading', (t) => {
  const text = `mail: {from: "$\${NAME} <a@example.com>"}`;
  const { document } = loadConfig({ file: null, text, env: {}, knownNames });
  const printed = formatYaml(redactDocument(document, new Set()));
  t.is(
    loadConfig({ file: null, text: printed, env: {}, knownNames }).config.mail.from,
    `\${NAME} <a@example.com>`,
  );
});
