import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig } from '../../src/config/load.ts';
import {
  findMissingSecrets,
  openConfiguredSecrets,
  openHashSecret,
} from '../../src/secrets/configured-secrets.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { knownNames } from '../config/known-names.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const POSTGRES = 'storage: {records: "postgres://u:hunter2@db.example/gk"}\n';
const GATE = 'proxy: {upstream: "http://127.0.0.1:3000", routes: [{path: /signup, mode: monitor}]}\n';
const HASH = `privacy: {hash_secret: "${'h'.repeat(40)}"}\n`;
const HOLD = `verification: {hold_secrets: ["${'v'.repeat(40)}"]}\n`;
const KEYS = `assertion: {keys: [{id: k1, secret: "${'a'.repeat(40)}"}]}\n`;

const configOf = (text: string) => loadConfig({ file: 'gatekeeper.yaml', text, env: {}, knownNames }).config;
const missingIn = (text: string) => findMissingSecrets(configOf(text)).map((line) => line.split(':')[0]);

const CASES: readonly (readonly [text: string, missing: readonly string[]])[] = [
  [GATE, []],
  [POSTGRES, ['privacy.hash_secret']],
  [POSTGRES + HASH, []],
  [POSTGRES + GATE, ['privacy.hash_secret', 'verification.hold_secrets', 'assertion.keys']],
  [POSTGRES + GATE + HASH, ['verification.hold_secrets', 'assertion.keys']],
  [POSTGRES + GATE + HASH + HOLD, ['assertion.keys']],
  [POSTGRES + GATE + HOLD + KEYS, ['privacy.hash_secret']],
  [POSTGRES + GATE + HASH + HOLD + KEYS, []],
];
for (const [i, [text, missing]] of CASES.entries()) {
  test(`all missing secrets of PostgreSQL nodes are named at once, case ${i}`, (t) => {
    t.deepEqual(missingIn(text), missing);
  });
}

test('the sentence of a missing secret has the command that makes one, and no password', (t) => {
  for (const line of findMissingSecrets(configOf(POSTGRES + GATE))) {
    t.regex(line, /Make one: openssl rand -base64 32$/);
    t.notRegex(line, /hunter2/);
  }
});

test('PostgreSQL nodes with one hash secret have the same other secrets, and no two secrets are alike', async (t) => {
  const one = await openConfiguredSecrets(configOf(POSTGRES + HASH));
  t.deepEqual(await openConfiguredSecrets(configOf(POSTGRES + HASH + GATE + HOLD + KEYS)), one);
  t.is(one.hashSecret, 'h'.repeat(40));
  t.is(await openHashSecret(configOf(POSTGRES + HASH)), one.hashSecret);
  const other = await openConfiguredSecrets(
    configOf(`${POSTGRES}privacy: {hash_secret: "${'i'.repeat(40)}"}\n`),
  );
  t.is(new Set([...Object.values(one), ...Object.values(other)]).size, 10);
});

test('without a hash secret, PostgreSQL nodes get no secrets', async (t) => {
  for (const open of [openConfiguredSecrets, openHashSecret]) {
    await t.throwsAsync(open(configOf(POSTGRES)), {
      instanceOf: StorageError,
      message: /^privacy\.hash_secret: missing;/,
    });
  }
});

test('with SQLite the secrets are those of the storage folder, under a configured hash secret', async (t) => {
  const folder = join(temporaryFolder(t), 'data');
  const records = `storage: {records: "sqlite:${join(folder, 'gatekeeper.db')}"}\n`;
  t.is(await openHashSecret(configOf(records + HASH)), 'h'.repeat(40));
  t.false(existsSync(folder), 'a configured hash secret needs no file');
  const made = await openConfiguredSecrets(configOf(records));
  t.is(await openHashSecret(configOf(records)), made.hashSecret);
  t.deepEqual(await openConfiguredSecrets(configOf(records + HASH)), { ...made, hashSecret: 'h'.repeat(40) });
});
