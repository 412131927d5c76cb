import anyTest, { type TestFn } from 'ava';
import { ANY_DECISION, type DecisionFilter } from '../../src/storage/decisions/search/decision-filter.ts';
import { StorageConflictError } from '../../src/storage/storage-error.ts';
import { decisionWith, entryOf, NOON } from './decisions/decision-fixture.ts';
import type { PrepareStorage } from './prepare-storage.ts';

const test = anyTest as TestFn;
/** NUL ends a text in some engines, and a surrogate without its other half is no character of UTF-8. */
const TEXTS = ['\0', 'a\0b', '\ud800', 'a\udfffb\0', '\\u0000', '%_\\', "'; --", 'ünïcödé 😀'];
const AUDIT = { at: NOON, actorId: null, act: 'list.entry_added' } as const;

/** Senders choose these texts: in a form, in a query string, in a header. */
export function testHostileText(engine: string, prepare: PrepareStorage): void {
  for (const text of TEXTS) {
    test(`${engine}: ${JSON.stringify(text)} in any field or search is no error`, async (t) => {
      const records = await (await prepare(t))(() => NOON);
      const { accounts, apiKeys, users, sessions, accountTokens, heldSignups, listEntries } = records;
      const account = await accounts.create({ name: `shop ${text}`, plan: 'hobby' });
      t.is((await accounts.findByName(`shop ${text}`))?.id, account.id);
      await t.throwsAsync(accounts.create({ name: `shop ${text}`, plan: 'pro' }), {
        instanceOf: StorageConflictError,
      });
      await accounts.page({ after: text, limit: 5, text });
      await users.invite({ email: `${text}@example.com`, role: 'member', plan: text });
      t.truthy(await users.findByEmail(`${text}@example.com`));
      await users.list({ after: text, limit: 5 });
      const key = { accountId: account.id, name: text, sha256: text, lastFour: text };
      await apiKeys.create({ ...key, test: false, expiresAt: null });
      t.truthy(await apiKeys.authorize(text, NOON));
      t.is((await apiKeys.revoke(text)).length, 1);
      await sessions.create({ id: text, accountId: account.id, browser: text, network: text }, null);
      t.truthy(await sessions.find(text));
      await accountTokens.create({
        ...{ id: text, kind: 'registration', accountId: null, email: text, lifetimeMs: 1_000 },
      });
      t.truthy(await accountTokens.find(text));
      await heldSignups.find(text, NOON);
      await heldSignups.takePass({ mailbox: text, network: text, userAgent: text, tokens: [text], since: 0 });

      const audit = { ...AUDIT, actorName: text, subject: text, detail: { text } };
      const entry = { list: 'deny', kind: 'domain', value: text, typed: text, note: text } as const;
      const { entries } = await listEntries.put([{ ...entry, expiresAt: null }], audit);
      t.is(entries.length, 1);
      await listEntries.page({ after: null, limit: 5, filter: { text, mailbox: text } });
      for await (const changes of listEntries.changes({ after: 0, upTo: 1 })) t.is(changes.length, 1);
      t.is((await records.audit.page({ before: null, limit: 5, actorId: text })).length, 0);
      t.is((await records.audit.page({ before: null, limit: 5 })).length, 1);

      const { requestId } = decisionWith();
      const decision = decisionWith({ requestId, accountId: account.id, route: text });
      await records.decisions.record(decision);
      t.truthy(await records.decisions.find(requestId, account.id));
      const answer = { idempotencyKey: text, bodySha256: text, body: JSON.stringify({ text }) };
      const committed = entryOf(account);
      t.true((await records.ledger.commit({ ...committed, answer })).granted);
      t.truthy(await records.ledger.findAnswer(account.id, text, NOON));
      await records.decisionSearch.find(text, text);
      await records.decisionSearch.label(text, text, 'fraud');
      const filters: readonly Partial<DecisionFilter>[] = [
        { accountId: text },
        { requestId: text },
        { routes: [text], keyIds: [text], domains: [text] },
        { network: text },
        { mailbox: text },
        { template: text },
        { userAgent: text },
      ];
      for (const filter of filters) {
        t.truthy(await records.decisionSearch.page({ ...ANY_DECISION, ...filter }, null, 5));
      }
      await records.decisionSearch.page(ANY_DECISION, text, 5);
      await records.decisionSearch.keys([text]);
      const campaign = { accountId: text, from: 0, to: NOON + 1 };
      for (const kind of ['network', 'domain', 'template', 'backend'] as const) {
        await records.decisionSearch.campaign({ ...campaign, kind }, text);
      }
      const counts = { accountId: text, route: text, from: NOON - 1_000, to: NOON + 1 };
      await records.rollups.decisions(counts);
      await records.rollups.reasons(counts);
      await records.rollups.outcomes(counts);
      await records.rollups.refusedLetIn(counts);
      await records.rollups.mistakes(counts);
      await records.rollups.aggregate();
      await records.erase({
        ...{ mailboxHash: text, spellingHash: text, budgetHash: text, isAddress: (found) => found === text },
      });
    });
  }
}
