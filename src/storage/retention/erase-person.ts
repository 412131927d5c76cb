import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UserStore } from '../accounts/user-store.ts';
import type { DecisionStore } from '../decisions/decision-store.ts';
import type { StorageEngine } from '../engine/engine.ts';
import { StorageConflictError } from '../storage-error.ts';
import type { ErasedPerson, Erasure } from './erasure.ts';

/** A signup waits at most a few milliseconds for the lock. */
const STEP_ROWS = 500;
const ERASED = '(erased)';
/** A rough pattern of an email address within a text. */
const ADDRESS_LIKE =
  /(?<![^\s"'<>()[\]{},;:\\])[^\s"'<>()[\]{},;:\\]+@[^\s"'<>()[\]{},;:\\]*[^\s"'<>()[\]{},;:\\.]/gu;

/**
 * Deletes decisions, answers, held signups, counted mails and pending links of the mailbox, closes its dashboard
 * account, and removes its address from notes and from the audit log. Works in bounded steps, so that it can run beside
 * a server, and can be repeated after an interruption.
 */
export async function erasePerson(
  engine: StorageEngine,
  stores: { readonly users: Pick<UserStore, 'close'>; readonly decisions: Pick<DecisionStore, 'erase'> },
  person: ErasedPerson,
): Promise<Erasure> {
  const accounts = await closeAccounts(engine, stores.users, person);
  await eraseLinks(engine, person);
  await engine.transact((trx) =>
    trx.deleteFrom('verification_mails').where('mailbox', '=', person.budgetHash).execute(),
  );
  await eraseAnswers(engine, person);
  const decisions = await stores.decisions.erase(person);
  await eraseFromNotes(engine, person);
  await eraseFromAudit(engine, person);
  const { left } = await engine.db
    .selectFrom('list_entries')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('kind', '=', 'mailbox')
    .where('value', '=', person.mailboxHash)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { decisions, listEntriesLeft: left, ...accounts, isLogEmptied: await engine.emptyLog() };
}

async function closeAccounts(
  { db }: StorageEngine,
  users: Pick<UserStore, 'close'>,
  { isAddress }: ErasedPerson,
): Promise<Pick<Erasure, 'accountsClosed' | 'accountsLeft'>> {
  const counts = { accountsClosed: 0, accountsLeft: 0 };
  for (let after = ''; ; await nextTurn()) {
    const rows = await db
      .selectFrom('accounts')
      .select(['id', 'email'])
      .where('email', '>', after)
      .orderBy('email')
      .limit(STEP_ROWS)
      .execute();
    for (const { id, email } of rows) {
      if (email === null || !isAddress(email)) continue;
      try {
        await users.close(id);
        counts.accountsClosed++;
      } catch (error) {
        if (!(error instanceof StorageConflictError)) throw error;
        counts.accountsLeft++;
      }
    }
    const last = rows.at(-1)?.email;
    if (!last || rows.length < STEP_ROWS) return counts;
    after = last;
  }
}

/** Links for a registration or a new email live for a few days at most: there are never many. */
async function eraseLinks({ db, transact }: StorageEngine, { isAddress }: ErasedPerson): Promise<void> {
  const links = await db
    .selectFrom('account_tokens')
    .select(['id', 'email'])
    .where('email', 'is not', null)
    .execute();
  const ids = links.filter(({ email }) => email !== null && isAddress(email)).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += STEP_ROWS) {
    const step = ids.slice(start, start + STEP_ROWS);
    await transact((trx) => trx.deleteFrom('account_tokens').where('id', 'in', step).execute());
  }
}

/** Also the answers whose decision is already deleted. */
async function eraseAnswers({ db, transact }: StorageEngine, { mailboxHash }: ErasedPerson): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('answers')
      .select('id')
      .where('mailbox', '=', mailboxHash)
      .limit(STEP_ROWS)
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await transact((trx) => trx.deleteFrom('answers').where('id', 'in', ids).execute());
    await nextTurn();
  }
}

/** The entries themselves stay. */
async function eraseFromNotes({ db, transact }: StorageEngine, person: ErasedPerson): Promise<void> {
  for (let after = 0; ; await nextTurn()) {
    const rows = await db
      .selectFrom('list_entries')
      .select(['id', 'note', 'author_name'])
      .where('id', '>', after)
      .where((where) => where.or([where('note', 'like', '%@%'), where('author_name', 'like', '%@%')]))
      .orderBy('id')
      .limit(STEP_ROWS)
      .execute();
    for (const { id, note, author_name } of rows) {
      const erased = {
        note: note && withoutAddress(note, person),
        author_name: withoutAddress(author_name, person),
      };
      if (erased.note === note && erased.author_name === author_name) continue;
      await transact((trx) => trx.updateTable('list_entries').set(erased).where('id', '=', id).execute());
    }
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < STEP_ROWS) return;
  }
}

/** The log entries stay, without the email address. */
async function eraseFromAudit({ reader, transact }: StorageEngine, person: ErasedPerson): Promise<void> {
  for (let after = 0; ; await nextTurn()) {
    const rows = await reader
      .selectFrom('audit_log')
      .select(['id', 'actor_name', 'subject', 'detail'])
      .where('id', '>', after)
      .where((where) =>
        where.or((['actor_name', 'subject', 'detail'] as const).map((text) => where(text, 'like', '%@%'))),
      )
      .orderBy('id')
      .limit(STEP_ROWS)
      .execute();
    for (const { id, ...texts } of rows) {
      const erased = {
        actor_name: withoutAddress(texts.actor_name, person),
        subject: withoutAddress(texts.subject, person),
        detail: withoutAddress(texts.detail, person),
      };
      if (JSON.stringify(erased) === JSON.stringify(texts)) continue;
      await transact((trx) => trx.updateTable('audit_log').set(erased).where('id', '=', id).execute());
    }
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < STEP_ROWS) return;
  }
}

function withoutAddress(text: string, { isAddress }: ErasedPerson): string {
  return text.replace(ADDRESS_LIKE, (found) => (isAddress(found) ? ERASED : found));
}
