import { writeFileSync } from 'node:fs';
import test from 'ava';
import { parse } from 'yaml';
import { hashSecretFingerprint } from '../../src/secrets/check-hash-secret.ts';
import { deriveSecrets } from '../../src/secrets/open-secrets.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { runCommand } from '../helpers/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { change, filledRecords } from '../storage/copy/filled-records.ts';

type Context = Parameters<typeof temporaryFolder>[0];

function run(t: Context, args: readonly string[], cwd = temporaryFolder(t)) {
  return runCommand(args, cwd);
}

test('records copy prints the rows and the hash of each table on both sides', async (t) => {
  const from = await filledRecords(t, 50);
  change(from, 'UPDATE decisions SET user_agent = char(0) WHERE id BETWEEN 1 AND 60');
  const to = `sqlite:${temporaryFolder(t)}/target.db`;
  const { code, out, err } = await run(t, ['records', 'copy', '--from', from, '--to', to]);
  t.is(code, 0, err);
  t.regex(out, /^table +rows +hash of the source +rows +hash of the copy\n/);
  t.regex(out, /\ndecisions +(\d+) +([0-9a-f]{32}) +\1 +\2 +equal\n/);
  t.regex(out, /target\.db is complete and equal to \S+source\.db\n$/);
  t.is(err.split('\n').length, 52, 'fifty rows are named');
  t.regex(err, /^decisions 1: characters that PostgreSQL does not allow are � here\n/);
  t.regex(err, /\nand 10 more such rows\n$/);

  const again = await run(t, ['records', 'copy', '--from', from, '--to', to]);
  t.is(again.code, 2);
  t.regex(again.err, /target\.db is not empty: its table policies has rows\. Copy into a new database/);
});

test('records copy compares the hash secret of the configuration with that of the records', async (t) => {
  const folder = temporaryFolder(t);
  const [made, other] = ['m'.repeat(40), 'o'.repeat(40)];
  const from = await filledRecords(t, 50);
  const records = await openStorage({ url: from, clock: Date.now });
  await records.noteHashSecret(hashSecretFingerprint(made));
  await records.close();
  const to = `sqlite:${temporaryFolder(t)}/target.db`;
  const copy = (secret: string) => {
    writeFileSync(`${folder}/gatekeeper.yaml`, `privacy: {hash_secret: "${secret}"}\n`);
    return run(t, ['records', 'copy', '--from', from, '--to', to], folder);
  };
  const refused = await copy(other);
  t.is(refused.code, 2);
  for (const secret of [made, other]) {
    t.true(refused.err.includes(hashSecretFingerprint(secret)), refused.err);
    t.false(refused.err.includes(secret));
  }
  t.is((await copy(made)).code, 0);
});

test('records copy fails with a sentence', async (t) => {
  const from = await filledRecords(t, 50);
  for (const [args, said] of [
    [['--from', from], /required option '--to <url>' not specified/],
    [['--from', 'mysql://x', '--to', from], /^--from must be sqlite: and the path of a file/],
    [['--from', from, '--to', 'mysql://x'], /^--to must be sqlite: and the path of a file/],
    [['--from', from, '--to', 'postgres://u@h/x?sslmode=on'], /^The URL in --to has sslmode=on: /],
    [['--from', 'sqlite:./none.db', '--to', from], /There is no database \S+none\.db\./],
    [['--from', from, '--to', from], /the same database\. Name an empty one with --to/],
    [['--from', from, '--to', 'postgres://u:secret@127.0.0.1:1/x'], /127\.0\.0\.1:1\/x does not answer/],
  ] as const) {
    const { code, err } = await run(t, ['records', 'copy', ...args]);
    t.true(code > 0);
    t.regex(err, said);
    t.false(err.includes('secret'), err);
  }
});

test('records secrets prints what the configuration does not give, as the configuration takes it', async (t) => {
  const folder = temporaryFolder(t);
  const none = await run(t, ['records', 'secrets'], folder);
  t.is(none.code, 1);
  t.regex(none.err, /No secrets were generated in /);
  writeFileSync(`${folder}/secrets.json`, JSON.stringify({ key: Buffer.alloc(32, 7).toString('base64url') }));
  const given = `storage: {records: "sqlite:${folder}/gatekeeper.db"}\n`;
  writeFileSync(`${folder}/gatekeeper.yaml`, given);
  const { code, out } = await run(t, ['records', 'secrets'], folder);
  t.is(code, 0);
  const { hashSecret, holdKey, assertionSecret } = deriveSecrets(Buffer.alloc(32, 7));
  t.deepEqual(parse(out), {
    privacy: { hash_secret: hashSecret },
    verification: { hold_secrets: [holdKey] },
    assertion: { keys: [{ id: 'generated', secret: assertionSecret }] },
  });
  writeFileSync(`${folder}/gatekeeper.yaml`, `${given}privacy: {hash_secret: "${'h'.repeat(40)}"}\n`);
  t.false((await run(t, ['records', 'secrets'], folder)).out.includes('hash_secret'));
  writeFileSync(`${folder}/gatekeeper.yaml`, `${out}storage: {records: "postgres://u@h/d"}\n`);
  const nodes = await run(t, ['records', 'secrets'], folder);
  t.is(nodes.code, 1);
  t.regex(nodes.err, /With records in PostgreSQL no secret is generated/);
});
