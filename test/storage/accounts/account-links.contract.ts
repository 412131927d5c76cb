import anyTest, { type TestFn } from 'ava';
import { StorageConflictError } from '../../../src/storage/storage-error.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { contractOf, HOUR_MS, jane, tokenWith } from './account-fixture.ts';

const test = anyTest as TestFn;
const mail = {
  keys: { mailbox: 'jane', origin: 'home' },
  budgets: { mailbox: 2, origin: 20, site: 1_000 },
};

/**
 * Of fifty uses of one link at once, one counts: from as many processes as write. Two wait for each other's lock, which
 * takes seconds.
 */
export function testLinkUsedAtOnce(engine: string, prepare: PrepareStorage, writers: 1 | 2): void {
  test(`${engine}: of fifty uses of one link at once, one counts`, async (t) => {
    const open = await prepare(t);
    const records = await open(() => NOON);
    const other = writers === 1 ? records : await open(() => NOON);
    await records.accountTokens.create(tokenWith());
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? records : other).accountTokens.register({
          ...{ id: 'token', password: `hash ${i}`, plan: 'hobby' },
        }),
      ),
    );
    t.is(outcomes.filter(({ done }) => done).length, 1);
    t.true(outcomes.every((outcome) => outcome.done || outcome.because === 'closed'));
    t.is((await records.users.list({ after: null, limit: 10 })).length, 1);
  });
}

/** Links that are mailed to users. */
export function testAccountLinks(engine: string, prepare: PrepareStorage): void {
  const contract = contractOf(engine, prepare);

  contract('a link serves its own purpose alone, and survives being used for another', async (t, records) => {
    const account = await records.users.invite(jane);
    await records.accountTokens.create(tokenWith({ kind: 'password-reset', accountId: account.id }));
    const use = { id: 'token', password: 'hash', plan: 'hobby', email: 'eve@example.com' };
    const closed = { done: false, because: 'closed' };
    t.deepEqual(await records.accountTokens.register(use), closed);
    t.deepEqual(await records.accountTokens.makeFirstOperator(use), closed);
    t.deepEqual(await records.accountTokens.confirmEmail('token'), closed);
    t.deepEqual(await records.accountTokens.find('token'), {
      ...{ id: 'token', kind: 'password-reset', accountId: account.id, email: jane.email },
      expiresAt: NOON + HOUR_MS,
    });
    t.true((await records.accountTokens.choosePassword(use)).done);
    t.is(await records.users.findPasswordOf(account.id), 'hash');
    t.is(await records.accountTokens.find('token'), null);
  });

  contract('a link expires, and is deleted', async (t, records, open) => {
    await records.accountTokens.create(tokenWith());
    const later = await open(() => NOON + HOUR_MS);
    t.is(await later.accountTokens.find('token'), null);
    const use = { id: 'token', password: 'hash', plan: 'hobby' };
    t.deepEqual(await later.accountTokens.register(use), { done: false, because: 'closed' });
    t.is(await records.sessions.deleteExpired(), 0);
    t.is(await later.sessions.deleteExpired(), 1);
  });

  contract('a set-up link makes the first operator, once, and the newest link alone', async (t, records) => {
    const setUp = (id: string) => tokenWith({ id, kind: 'set-up', email: null });
    const use = { password: 'hash', email: 'op@example.com', plan: 'hobby' };
    await records.accountTokens.create(setUp('older'));
    await records.accountTokens.create(setUp('newer'));
    t.false(await records.users.hasOperator());
    t.false((await records.accountTokens.makeFirstOperator({ ...use, id: 'older' })).done);
    const made = await records.accountTokens.makeFirstOperator({ ...use, id: 'newer' });
    t.like(made.done ? made.account : null, { email: 'op@example.com', role: 'operator' });
    t.true(await records.users.hasOperator());
    await records.accountTokens.create(setUp('late'));
    const late = await records.accountTokens.makeFirstOperator({
      ...use,
      ...{ id: 'late', email: 'eve@example.com' },
    });
    t.false(late.done);
    t.is(await records.users.findByEmail('eve@example.com'), null);
  });

  contract('the first operator may be a user who was invited before', async (t, records) => {
    const invited = await records.users.invite({ ...jane, role: 'operator' });
    t.false(await records.users.hasOperator(), 'an invited operator can do nothing yet');
    await records.accountTokens.create(tokenWith({ kind: 'set-up', email: null }));
    const use = { id: 'token', password: 'hash', email: jane.email, plan: 'pro' };
    const made = await records.accountTokens.makeFirstOperator(use);
    t.like(made.done ? made.account : null, { id: invited.id, role: 'operator', plan: 'hobby' });
  });

  contract(
    'registering an email that was taken in the meantime changes nothing of it',
    async (t, records) => {
      await records.accountTokens.create(tokenWith());
      const account = await records.users.invite(jane);
      const use = { id: 'token', password: 'hash', plan: 'hobby' };
      t.deepEqual(await records.accountTokens.register(use), { done: false, because: 'taken' });
      t.is(await records.users.findPasswordOf(account.id), null);
    },
  );

  contract('an email changes by the link to the new mailbox, unless it is taken', async (t, records) => {
    const { id } = await records.users.invite(jane);
    await records.users.invite({ ...jane, email: 'eve@example.com' });
    const change = { kind: 'email-change', accountId: id } as const;
    await records.accountTokens.create(tokenWith({ ...change, email: 'eve@example.com' }));
    t.deepEqual(await records.accountTokens.confirmEmail('token'), { done: false, because: 'taken' });
    await records.accountTokens.create(tokenWith({ ...change, email: 'jane@example.org' }));
    const outcome = await records.accountTokens.confirmEmail('token');
    t.like(outcome, { done: true, before: jane.email });
    t.like(outcome.done ? outcome.account : null, {
      id,
      email: 'jane@example.org',
      name: 'jane@example.org',
    });
  });

  contract('mails over an hourly budget store no link', async (t, records, open) => {
    t.is(await records.accountTokens.createForMail(tokenWith({ id: 'first' }), mail), 'stored');
    t.true(await records.accountTokens.countMail(mail));
    t.is(await records.accountTokens.createForMail(tokenWith({ id: 'third' }), mail), 'over-budget');
    t.is(await records.accountTokens.find('third'), null);
    t.false(await records.accountTokens.countMail(mail));
    const later = await open(() => NOON + HOUR_MS);
    t.is(await later.accountTokens.createForMail(tokenWith({ id: 'later' }), mail), 'stored');
  });

  contract(
    'a closed account gets no link, and no link outlives the password that allowed it',
    async (t, records) => {
      const { id } = await records.users.invite(jane);
      await records.users.changePassword({ accountId: id, password: 'old', keepSession: '' });
      const change = { kind: 'email-change', accountId: id, email: 'jane@example.org' } as const;
      const linkOf = (passwordChangedAt: number) =>
        records.accountTokens.createForMail(tokenWith({ ...change, passwordChangedAt }), mail);
      t.is(await linkOf(NOON - 1), 'closed');
      t.is(await records.accountTokens.find('token'), null);
      t.is(await linkOf(NOON), 'stored');
      await records.users.close(id);
      t.is(await linkOf(NOON), 'closed');
      t.is(await records.accountTokens.createForMail(tokenWith(change), mail), 'closed');
      const reset = tokenWith({ kind: 'password-reset', accountId: id });
      await t.throwsAsync(records.accountTokens.create(reset), { instanceOf: StorageConflictError });
      t.is(await records.accountTokens.find('token'), null);
      t.is((await records.accounts.find(id))?.email, null);
    },
  );
}
