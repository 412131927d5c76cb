import { readFileSync, writeFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { openSqlite } from '../../../src/storage/engine/open-sqlite.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { openDatabase } from '../../helpers/empty-database.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { answerOf, decisionWith, entryOf, NOON } from '../decisions/decision-fixture.ts';
import { aggregateAll } from '../rollups/rollup-fixture.ts';

const HOUR_MS = 3_600_000;
const BATCH = 500;

export const clock = () => NOON;

/** By the number of decisions: the bytes of a database that was filled once. */
const filled = new Map<number, Promise<Buffer>>();

/** A database of SQLite with rows in every table. Returns its URL. No process has it open. */
export async function filledRecords(t: ExecutionContext, decisions: number): Promise<string> {
  const file = `${temporaryFolder(t)}/source.db`;
  const bytes = filled.get(decisions) ?? fill(t, decisions);
  filled.set(decisions, bytes);
  writeFileSync(file, await bytes);
  return `sqlite:${file}`;
}

async function fill(t: ExecutionContext, decisions: number): Promise<Buffer> {
  const file = `${temporaryFolder(t)}/filled.db`;
  const storage = await openDatabase(file, clock);
  await fillAccounts(storage);
  await fillDecisions(storage, decisions);
  await storage.listEntries.put(
    [
      {
        list: 'deny',
        kind: 'domain',
        value: 'bad.example',
        typed: null,
        note: 'ünïcode 😀',
        expiresAt: null,
      },
      { list: 'allow', kind: 'country', value: 'DE', typed: null, note: null, expiresAt: NOON + HOUR_MS },
    ],
    audit('list.entries_added'),
  );
  await storage.exports.add('warehouse');
  // A few decisions are not counted yet.
  await aggregateAll(storage);
  await fillDecisions(storage, 20, 'late');
  await storage.close();
  fillRest(file);
  return readFileSync(file);
}

function audit(act: 'list.entries_added' | 'account.created') {
  return { at: NOON, actorId: null, actorName: 'a test', act, subject: 'x', detail: { n: 1 } };
}

async function fillAccounts(storage: Storage): Promise<void> {
  const shop = await storage.accounts.create({ name: 'shop', plan: 'pro' });
  const user = await storage.users.invite({ email: 'ann@example.com', role: 'operator', plan: 'hobby' });
  const lifetimeMs = HOUR_MS;
  for (const id of ['used', 'open'])
    await storage.accountTokens.create({
      ...{ id, kind: 'set-up', accountId: user.id, email: 'ann@example.com', lifetimeMs },
    });
  const chosen = await storage.accountTokens.choosePassword({ id: 'used', password: 'hash' });
  if (!chosen.done) throw new Error('no password');
  await storage.accountTokens.create({
    ...{ id: 'reset', kind: 'password-reset', accountId: user.id, email: 'ann@example.com', lifetimeMs },
  });
  await storage.sessions.create(
    { id: 'session', accountId: user.id, browser: 'Firefox', network: '127.0.0.0/24' },
    chosen.account.passwordChangedAt,
  );
  for (const name of ['live', 'revoked']) {
    await storage.apiKeys.create({
      ...{ accountId: shop.id, name, sha256: `sha ${name}`, lastFour: name.slice(-4) },
      ...{ test: false, expiresAt: null },
    });
  }
  await storage.apiKeys.revoke('revoked');
  for (let i = 0; i < 5; i++)
    await storage.ledger.commit(entryOf(shop, {}, { limit: 100, answer: answerOf(`key ${i}`) }));
  await storage.audit.record(audit('account.created'));
}

/** Of the last forty days, and three of one sender that one row represents. */
async function fillDecisions(storage: Storage, count: number, prefix = ''): Promise<void> {
  const { identity } = decisionWith();
  for (let first = 0; first < count; first += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => {
      const n = first + i;
      const own = {
        ...identity,
        mailbox: `${prefix}m${n}`,
        spelling: `${prefix}s${n}`,
        ip: `${prefix}ip${n}`,
      };
      return decisionWith({
        ...{ identity: own, door: 'gate', route: n % 3 === 0 ? 'web' : 'mobile', mode: 'enforce' },
        ...{ processedAt: NOON - (n % 960) * HOUR_MS, riskLevel: n % 5 === 0 ? 'high' : 'low' },
        ...{ action: n % 5 === 0 ? 'block' : 'forward', elapsedMs: (n % 40) / 10 },
      });
    });
    await Promise.all(made.map((decision) => storage.decisions.record(decision)));
    await storage.decisionSearch.label(made[0]?.requestId ?? '', null, 'fraud');
  }
  const repeated = { door: 'gate', route: 'web', mode: 'enforce', action: 'block' } as const;
  for (let i = 0; i < 6; i++) await storage.decisions.record(decisionWith(repeated));
}

/** Rows that come from long use. */
function fillRest(file: string): void {
  const connection = openSqlite(file);
  const held = (id: string, sealed: string) =>
    connection
      .prepare(
        `INSERT INTO held_signups (request_id, page_token, link_token, mailbox, mail_mailbox, mail_origin, domain, network,
          pass_network, user_agent, created_at, expires_at, state, passed, code, code_expires_at, tries, mails, mailed_at,
          mail_state, key_id, size, sealed)
         VALUES (?, ?, ?, 'm', 'm', 'o', 'example.com', '203.0.113.0/24', '', '', ?, ?, 'waiting', 0, 'c', ?, 0, 1, ?,
          'sent', 'k', ?, ?)`,
      )
      .run([
        id,
        `page ${id}`,
        `link ${id}`,
        NOON,
        NOON + HOUR_MS,
        NOON + HOUR_MS,
        NOON,
        sealed.length,
        sealed,
      ]);
  for (let i = 0; i < 45; i++) held(`held ${i}`, 'x'.repeat(i * 1_000));
  connection.exec("INSERT INTO folded_held_signups VALUES ('held 1', 'an earlier one')");
  connection.exec("INSERT INTO suggested_addresses VALUES ('held 1', 'c2VhbGVk')");
  connection.exec("INSERT INTO corrected_decisions VALUES ('a corrected one', 'an earlier one', 1)");
  connection.exec("INSERT INTO domain_users VALUES ('example.com', 'm', '203.0.113.0/24', 1)");
  connection.exec(
    "INSERT INTO signup_reviews VALUES ('held 2', 'an earlier one', 'let_in', 'waiting', NULL, 1, 'answered', 200)",
  );
  connection.exec("INSERT INTO verification_mails (id, sent_at, mailbox, origin) VALUES (7, 1, 'm', 'o')");
  connection.exec(
    "INSERT INTO attack_events VALUES ('attack', 'domain', 'crowd.example', 'crowd.example', 90, 90, 80, 1, 2)",
  );
  connection.exec("INSERT INTO incidents VALUES ('incident', 'feeds_old', '', '{}', 1, 2)");
  connection.exec("INSERT INTO alert_deliveries VALUES ('attack', 'team', 'sent', 0, 1)");
  connection.exec("INSERT INTO second_factors VALUES ('u', 'sealed', 1, 2, 3, 4)");
  connection.exec("INSERT INTO second_factor_setups VALUES ('u', 'session', 'sealed', 1)");
  connection.exec("INSERT INTO recovery_codes VALUES ('u', 'hash')");
  connection.exec("INSERT INTO passkeys VALUES ('k', 'u', 'key', 7, '[]', 'phone', 1, NULL)");
  connection.exec("INSERT INTO passkey_challenges VALUES ('c', NULL, 1)");
  connection.exec("INSERT INTO pending_sign_ins VALUES ('p', 'u', NULL, 1, 2)");
  connection.exec("INSERT INTO decision_trims VALUES ('max_decisions', 1, 2, 3)");
  connection.exec(`INSERT INTO policies VALUES ('p', '{"decisive":[]}')`);
  // Into the file; it stays as a running server has it.
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
}

/** Runs statements on a database of SQLite. */
export function change(url: string, ...statements: readonly string[]): void {
  const connection = openSqlite(url.slice('sqlite:'.length));
  for (const statement of statements) connection.exec(statement);
  connection.close();
}
