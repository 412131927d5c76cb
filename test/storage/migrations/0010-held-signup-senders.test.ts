import test from 'ava';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrate } from '../../../src/storage/engine/migrate.ts';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import { sqliteFragments } from '../../../src/storage/engine/sqlite-fragments.ts';
import { SQLITE_MIGRATIONS } from '../../../src/storage/migrations/migrations.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { StorageSchema } from '../../../src/storage/storage-schema.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { NOON } from '../decisions/decision-fixture.ts';

test('a signup that was held before can still be confirmed, and lets no other pass', async (t) => {
  const file = `${temporaryFolder(t)}/gatekeeper.db`;
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  const engine = {
    ...{ name: file, db, lock: async () => {}, fragments: sqliteFragments },
    transact: <T>(work: (handle: typeof db) => Promise<T>) => work(db),
  };
  const before = SQLITE_MIGRATIONS.filter(({ version }) => version < 10);
  await migrate(engine, before, () => NOON);
  await sql`INSERT INTO held_signups (request_id, page_token, link_token, mailbox, mail_mailbox, mail_origin, domain,
      created_at, expires_at, state, passed, code, code_expires_at, tries, mails, mailed_at, mail_state, key_id, size,
      sealed)
    VALUES ('r1', 'page', 'link', 'jane', 'jane', 'home', 'example.com', ${NOON}, ${NOON + 9}, 'waiting', 0, 'code',
      ${NOON + 9}, 1, 2, ${NOON}, 'sent', 'k1', 8, 'c2VhbGVk')`.execute(db);
  await db.destroy();

  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(() => records.close());
  const { heldSignups } = records;
  t.like(await heldSignups.find('link', NOON), {
    ...{ requestId: 'r1', by: 'link', state: 'waiting', domain: 'example.com', createdAt: NOON },
    ...{ tries: 1, mails: 2, mailState: 'sent', keyId: 'k1' },
    sender: { browser: null, system: null, country: null },
  });
  t.deepEqual(await heldSignups.claim({ requestId: 'r1', now: NOON, passTokenSha256: null }), {
    ...{ requestId: 'r1', keyId: 'k1', sealed: 'c2VhbGVk' },
  });
  const pass = { mailbox: 'jane', network: '203.0.113.0/24', userAgent: '', tokens: [], since: NOON };
  t.false(await heldSignups.takePass(pass));
});
