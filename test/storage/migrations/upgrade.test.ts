import test from 'ava';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../src/storage/engine/sqlite-fragments.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { StorageSchema } from '../../../src/storage/storage-schema.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';

type Row = Readonly<Record<string, string | number | null>>;

const { examinations, identity } = decisionWith();
const DETAIL = { examinations, lists: [], elapsedMs: 1, plain: null };

/** One row of each table that a version may have; columns that it has not are left out. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  accounts: [
    { id: 'shop', name: 'shop', plan: 'pro', created_at: NOON, email: 'shop@example.com', role: 'member' },
  ],
  api_keys: ['live', 'revoked'].map((name) => ({
    ...{
      id: name,
      account_id: 'shop',
      name,
      sha256: `sha-${name}`,
      last_four: 'aaaa',
      test: 0,
      created_at: NOON,
    },
    revoked_at: name === 'revoked' ? NOON : null,
  })),
  usage_days: [{ account_id: 'shop', day: '2026-11-21', key_id: 'live', used: 41 }],
  decisions: [
    {
      ...{
        request_id: 'r1',
        processed_at: NOON,
        door: 'api',
        account_id: 'shop',
        key_id: 'live',
        test: 0,
        scope: 'shop',
      },
      ...{
        trust_score: 91,
        risk_level: 'low',
        degraded: 0,
        network: '203.0.113.0/24',
        domain: 'example.com',
        codes: ' ',
      },
      ...{
        policy_revision: 'p',
        data_revision: 'd',
        identity: JSON.stringify(identity),
        detail: JSON.stringify(DETAIL),
      },
    },
  ],
  answers: [
    {
      ...{
        account_id: 'shop',
        idempotency_key: 'k',
        body_sha256: 'b',
        body: '{}',
        request_id: 'r1',
        created_at: NOON,
      },
    },
  ],
  policies: [{ revision: 'p', policy: '{"weights":{}}' }],
  held_signups: [
    {
      ...{ request_id: 'h1', page_token: 'page', link_token: 'link', mailbox: 'jane', mail_mailbox: 'jane' },
      ...{ mail_origin: 'home', domain: 'example.com', network: '', pass_network: '', user_agent: '' },
      ...{
        created_at: NOON,
        expires_at: NOON + 9,
        state: 'waiting',
        passed: 0,
        code: 'code',
        code_expires_at: NOON + 9,
      },
      ...{
        tries: 1,
        mails: 2,
        mailed_at: NOON,
        mail_state: 'sent',
        key_id: 'k1',
        size: 8,
        sealed: 'c2VhbGVk',
      },
    },
  ],
  sessions: [
    {
      ...{
        id: 'session',
        account_id: 'shop',
        created_at: NOON,
        last_seen_at: NOON,
        expires_at: NOON + 9_000_000,
      },
      ...{ browser: 'a test', network: '127.0.0.0/24' },
    },
  ],
  list_entries: [
    {
      ...{ verdict: 'deny', kind: 'domain', value: 'bad.example', typed: 'bad.example', author_name: 'ann' },
      ...{ created_at: NOON, revision: 1 },
    },
  ],
  audit_log: [{ at: NOON, actor_name: 'ann', act: 'list.entry_added', subject: 'bad.example', detail: '{}' }],
};

/** A database of that version with its rows. Returns the names of its tables. */
async function makeDatabase(file: string, version: number): Promise<ReadonlySet<string>> {
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  await migrate(
    engine,
    SQLITE_MIGRATIONS.filter((migration) => migration.version <= version),
    () => NOON,
  );
  const tables = new Map((await db.introspection.getTables()).map((table) => [table.name, table.columns]));
  for (const [name, rows] of Object.entries(ROWS)) {
    const columns = tables.get(name)?.map((column) => column.name) ?? [];
    for (const row of columns.length === 0 ? [] : rows) {
      const present = Object.entries(row).filter(([column]) => columns.includes(column));
      await sql`INSERT INTO ${sql.table(name)} (${sql.join(present.map(([column]) => sql.ref(column)))})
        VALUES (${sql.join(present.map(([, value]) => value))})`.execute(db);
    }
  }
  await db.destroy();
  return new Set(tables.keys());
}

for (const { version, name } of SQLITE_MIGRATIONS) {
  test(`a database of version ${version} (${name}) keeps all that it holds when it is upgraded`, async (t) => {
    const file = `${temporaryFolder(t)}/gatekeeper.db`;
    const tables = await makeDatabase(file, version);
    const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
    t.teardown(() => records.close());
    t.like(await records.accounts.find('shop'), { name: 'shop', plan: 'pro' });
    t.like(await records.apiKeys.authorize('sha-live', NOON), { keyId: 'live', accountId: 'shop' });
    t.is(await records.apiKeys.authorize('sha-revoked', NOON), null);
    t.is((await records.quotas.usage('shop', NOON)).used, 41);
    t.like(await records.decisions.find('r1', 'shop'), { trustScore: 91, riskLevel: 'low', examinations });
    t.like(await records.ledger.findAnswer('shop', 'k', NOON), { requestId: 'r1', body: '{}' });
    t.truthy(await records.decisions.findPolicy('p'));
    if (tables.has('held_signups'))
      t.like(await records.heldSignups.find('link', NOON), { requestId: 'h1', state: 'waiting', tries: 1 });
    if (tables.has('sessions')) {
      t.like(await records.sessions.find('session'), { account: { email: 'shop@example.com' } });
    }
    if (tables.has('list_entries')) {
      const query = { after: null, limit: 9, filter: {} };
      t.like(await records.listEntries.page(query), [
        { list: 'deny', value: 'bad.example', authorName: 'ann' },
      ]);
      t.like(await records.audit.page({ before: null, limit: 9 }), [
        { act: 'list.entry_added', actorName: 'ann' },
      ]);
    }
  });
}
