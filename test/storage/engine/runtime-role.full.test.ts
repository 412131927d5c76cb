import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import anyTest, { type TestFn } from 'ava';
import { openPostgresEngine } from '../../../src/storage/engine/postgres-engine.ts';
import { POSTGRES_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connectPostgres, MISSING_POSTGRES, postgresCluster, urlOf } from '../../helpers/postgres-server.ts';
import { runCommand } from '../../helpers/run-command.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { decisionWith, entryOf, NOON } from '../decisions/decision-fixture.ts';
import { ALL, aggregateAll } from '../rollups/rollup-fixture.ts';

const test = anyTest as TestFn;
const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`roles on PostgreSQL: ${MISSING_POSTGRES}`, () => {});

const DAY_MS = 86_400_000;
const clock = () => NOON;

/** A database with the two roles of docs/postgresql.md, made by the commands there. */
async function twoRoles(t: ExecutionContext) {
  const { port } = await postgresCluster();
  const id = randomBytes(6).toString('hex');
  const [database, owner, node] = [`roles_${id}`, `owner_${id}`, `node_${id}`];
  const admin = await connectPostgres(urlOf(port, 'postgres'));
  await admin.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'p'`);
  await admin.query(`CREATE ROLE ${node} LOGIN PASSWORD 'p'`);
  await admin.query(`CREATE DATABASE ${database} OWNER ${owner} ENCODING 'UTF8' TEMPLATE template0`);
  const inside = await connectPostgres(urlOf(port, database));
  t.teardown(async () => {
    await inside.end();
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${owner}, ${node}`);
    await admin.end();
  });
  for (const rights of [
    'SELECT, INSERT, UPDATE, DELETE ON TABLES',
    'USAGE, SELECT ON SEQUENCES',
    'EXECUTE ON FUNCTIONS',
  ])
    await inside.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT ${rights} TO ${node}`);
  const url = (role: string) => `postgres://${role}:p@127.0.0.1:${port}/${database}?connect_timeout=60`;
  return { inside, ownerUrl: url(owner), nodeUrl: url(node) };
}

function migrateRecords(t: ExecutionContext, url: string) {
  return runCommand(['records', 'migrate', '--records', url], temporaryFolder(t));
}

testPostgres(
  'a role without the right to change tables starts after "records migrate" of one that has it, and needs no more',
  async (t) => {
    const { ownerUrl, nodeUrl } = await twoRoles(t);
    await t.throwsAsync(openStorage({ url: nodeUrl, clock }), {
      name: 'StorageError',
      message:
        /has no tables yet, this Gatekeeper needs version \d+, .* Run "gatekeeper records migrate --records URL"/,
    });
    t.is((await migrateRecords(t, nodeUrl)).code, 2);
    for (let i = 0; i < 2; i++) {
      const { code, out } = await migrateRecords(t, ownerUrl);
      t.is(code, 0);
      t.regex(out, /^postgres:\/\/127\.0\.0\.1:\d+\/roles_\w+ has the tables of version \d+\n$/);
    }

    const storage = await openStorage({ url: nodeUrl, clock });
    t.teardown(() => storage.close());
    const account = await storage.accounts.create({ name: 'a', plan: 'pro' });
    t.like(await storage.ledger.commit(entryOf(account, {}, { limit: 5 })), { granted: true, used: 1 });
    await storage.decisions.record(decisionWith());
    await aggregateAll(storage);
    t.is(
      (await storage.rollups.decisions(ALL)).reduce((sum, { count }) => sum + count, 0),
      2,
    );
    await storage.exports.add('warehouse');
    await storage.decisions.deleteBefore(NOON - 30 * DAY_MS);
    await storage.decisions.trim({ max_decisions: 1, max_size: 1, max_test_decisions: 0 });
    t.is(await storage.decisions.erase({ mailboxHash: 'mailbox-hash', spellingHash: 'x' }), 2);
  },
);

testPostgres('days are made and dropped with the rights of the owner, by no other role', async (t) => {
  const { inside, ownerUrl, nodeUrl } = await twoRoles(t);
  t.is((await migrateRecords(t, ownerUrl)).code, 0);
  const partitions = async () =>
    (await inside.query("SELECT relname FROM pg_class WHERE relname ~ '^decisions_[0-9]{8}$' ORDER BY 1"))
      .rows as { relname: string }[];
  const [first] = await partitions();
  await inside.query(`DROP TABLE ${first?.relname}`);
  const storage = await openStorage({ url: nodeUrl, clock });
  t.teardown(() => storage.close());
  await storage.decisions.deleteBefore(NOON - 30 * DAY_MS);
  t.deepEqual((await partitions())[0], first, 'the day was made again');
  await storage.decisions.record(decisionWith());
  t.is(await storage.decisions.erase({ mailboxHash: 'mailbox-hash', spellingHash: 'x' }), 1);

  const node = await connectPostgres(nodeUrl);
  t.teardown(() => node.end());
  await node.query(`SELECT drop_decision_day_1(${NOON + DAY_MS})`);
  t.notDeepEqual((await partitions())[0], first, 'the day was dropped');
  await inside.query('CREATE ROLE some_other; SET ROLE some_other');
  await t.throwsAsync(inside.query('SELECT drop_decision_day_1(0)'), { message: /permission denied/ });
  await inside.query('RESET ROLE; DROP ROLE some_other');
});

testPostgres('a newer program does not start with that role on the tables of an older one', async (t) => {
  const { ownerUrl, nodeUrl } = await twoRoles(t);
  t.is((await migrateRecords(t, ownerUrl)).code, 0);
  const newest = Math.max(...POSTGRES_MIGRATIONS.map(({ version }) => version));
  const later = {
    version: newest + 1,
    name: 'later',
    up: async (db: Parameters<(typeof POSTGRES_MIGRATIONS)[number]['up']>[0]) => {
      await db.schema.alterTable('accounts').addColumn('remark', 'text').execute();
    },
  };
  const migrations = [...POSTGRES_MIGRATIONS, later];
  await t.throwsAsync(openPostgresEngine(nodeUrl, migrations, clock), {
    name: 'StorageError',
    message: new RegExp(`has schema version ${newest}, this Gatekeeper needs version ${newest + 1}`),
  });
  await (await openPostgresEngine(ownerUrl, migrations, clock)).close();
  await t.notThrowsAsync(async () => (await openPostgresEngine(nodeUrl, migrations, clock)).close());
});

testPostgres(
  'check and doctor refuse that role on older tables as a start does, and change nothing',
  async (t) => {
    const { inside, ownerUrl, nodeUrl } = await twoRoles(t);
    const older = POSTGRES_MIGRATIONS.slice(0, -1);
    const folder = temporaryFolder(t);
    const run = async (url: string) => {
      const secrets = `privacy: {hash_secret: "${'h'.repeat(40)}"}\nverification: {hold_secrets: ["${'s'.repeat(40)}"]}\n`;
      writeFileSync(join(folder, 'gatekeeper.yaml'), `storage: {records: "${url}"}\n${secrets}`);
      return [await runCommand(['check'], folder), await runCommand(['doctor'], folder)] as const;
    };
    // Both accept a database that does not answer within two seconds, as on a busy machine.
    const runUntilRefused = async (tries = 5): ReturnType<typeof run> => {
      const results = await run(nodeUrl);
      const isRefused = results.every(({ out, err }) => /may not change tables/.test(out + err));
      return isRefused || tries === 1 ? results : runUntilRefused(tries - 1);
    };
    for (const prepare of [
      async () => {},
      async () => (await openPostgresEngine(ownerUrl, older, clock)).close(),
    ]) {
      await prepare();
      const { message = '' } = (await t.throwsAsync(openStorage({ url: nodeUrl, clock }))) ?? {};
      t.regex(message, /Run "gatekeeper records migrate --records URL"/);
      const [checked, doctored] = await runUntilRefused();
      t.is(checked.err, `${message}\n1 mistake\n`);
      t.is(checked.code, 1);
      t.is(doctored.code, 1);
      t.regex(
        doctored.out,
        /broken {3}storage .* may not change tables\.\n +→ Run "gatekeeper records migrate/,
      );
      const [ofOwner] = await run(ownerUrl);
      t.is(ofOwner.code, 0, ofOwner.err);
    }
    const { rows } = await inside.query('SELECT max(version) AS version FROM schema_versions');
    t.deepEqual(rows, [{ version: older.at(-1)?.version }]);
  },
);
