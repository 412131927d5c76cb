import { NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import {
  attempt,
  bounds,
  budgets,
  contractOf,
  MINUTE_MS,
  renewal,
  SEALED,
  signupWith,
} from './held-signup-fixture.ts';

/** The contract of every engine for the mails of held signups. */
export function testHeldMails(engine: string, prepare: PrepareStorage, writers: 1 | 2 = 1): void {
  const { contract, contended } = contractOf(engine, prepare, writers);

  contract('a new mail voids the old code and forgives no try', async (t, records) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    await records.heldSignups.tryCode(attempt(signup.requestId, 'wrong'));
    t.like(await records.heldSignups.renewMail(renewal(signup.requestId), budgets), {
      ...{ kind: 'renewed', signup: { sealed: SEALED } },
    });
    t.deepEqual(await records.heldSignups.tryCode(attempt(signup.requestId, 'right')), {
      ...{ kind: 'wrong', triesLeft: 3 },
    });
    t.is((await records.heldSignups.tryCode(attempt(signup.requestId, 'newer'))).kind, 'claimed');
  });

  contract('mails come a minute apart, three in all, unless one failed', async (t, records) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    const renewAt = (now: number) =>
      records.heldSignups.renewMail(renewal(signup.requestId, { now }), budgets);
    t.deepEqual(await renewAt(NOON + 59_000), { kind: 'too-soon', retryAfterMs: 1_000 });
    await records.heldSignups.markMail({
      ...{ requestId: signup.requestId, mailedAt: NOON, state: 'failed', codeExpiresAt: NOON },
    });
    t.is((await renewAt(NOON + 1)).kind, 'renewed');
    t.is((await renewAt(NOON + MINUTE_MS)).kind, 'too-soon');
    t.is((await renewAt(NOON + MINUTE_MS + 1)).kind, 'renewed');
    t.is((await renewAt(NOON + 5 * MINUTE_MS)).kind, 'no-more');
  });

  contended('of two requests for a new mail at once, one is sent', async (t, records, other) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    const outcomes = await Promise.all(
      [records, other, records, other].map(({ heldSignups }) =>
        heldSignups.renewMail(renewal(signup.requestId), budgets),
      ),
    );
    t.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['renewed', 'too-soon', 'too-soon', 'too-soon']);
  });

  contract('a new mail is counted in the budgets', async (t, records) => {
    const signup = signupWith();
    const tight = { ...budgets, mailbox: 1 };
    await records.heldSignups.hold(signup, { ...bounds, budgets: tight });
    t.deepEqual(await records.heldSignups.renewMail(renewal(signup.requestId), tight), {
      ...{ kind: 'budget', retryAfterMs: 59 * MINUTE_MS },
    });
    t.like(await records.heldSignups.find(signup.pageTokenSha256, NOON), { mails: 1 });
  });

  contract('how a mail fared is noted for that mail alone', async (t, records) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    await records.heldSignups.renewMail(renewal(signup.requestId), budgets);
    const mark = (mailedAt: number) =>
      records.heldSignups.markMail({
        ...{ requestId: signup.requestId, mailedAt, state: 'sent', codeExpiresAt: NOON + 5 },
      });
    await mark(NOON);
    t.like(await records.heldSignups.find(signup.pageTokenSha256, NOON), { mailState: 'queued' });
    await mark(NOON + MINUTE_MS);
    t.like(await records.heldSignups.find(signup.pageTokenSha256, NOON), {
      ...{ mailState: 'sent', codeExpiresAt: NOON + 5 },
    });
  });

  contract('a queued mail is kept or taken over under its newest time only', async (t, { heldSignups }) => {
    const signup = signupWith();
    await heldSignups.hold(signup, bounds);
    const { requestId, expiresAt } = signup;
    const mail = { requestId, mailedAt: NOON };
    t.deepEqual(await heldSignups.queuedMails(10), [{ ...mail, keyId: 'k1', expiresAt }]);
    t.deepEqual(await heldSignups.queuedMails(0), []);
    t.true(await heldSignups.keepMail(mail, NOON + 1));
    t.false(await heldSignups.keepMail(mail, NOON + 2), 'another time identifies it now');
    const renewed = { now: NOON + 3, codeHash: 'new', codeExpiresAt: NOON + MINUTE_MS };
    t.is(await heldSignups.takeOverMail(mail, renewed), null);
    const kept = { requestId, mailedAt: NOON + 1 };
    t.deepEqual(await heldSignups.takeOverMail(kept, renewed), { requestId, keyId: 'k1', sealed: SEALED });
    t.false(await heldSignups.keepMail(kept, NOON + 4), 'the process that lost it drops it');
    const status = await heldSignups.find(signup.pageTokenSha256, NOON + 4);
    t.like(status, { mails: 1, mailedAt: NOON + 3, mailState: 'queued', codeExpiresAt: NOON + MINUTE_MS });
    const attempt = { requestId, now: NOON + 4, passTokenSha256: null, maxTries: 5 };
    t.like(await heldSignups.tryCode({ ...attempt, codeHash: 'right' }), { kind: 'wrong' });
    t.like(await heldSignups.tryCode({ ...attempt, codeHash: 'new' }), { kind: 'claimed' });
    t.deepEqual(await heldSignups.queuedMails(10), [], 'a claimed signup needs no mail');
  });

  for (const state of ['sent', 'failed'] as const)
    contract(`a mail that was ${state} is not queued, kept or taken over`, async (t, { heldSignups }) => {
      const { requestId, codeExpiresAt } = signupWith();
      await heldSignups.hold({ ...signupWith(), requestId }, bounds);
      const mail = { requestId, mailedAt: NOON };
      await heldSignups.markMail({ ...mail, state, codeExpiresAt });
      t.deepEqual(await heldSignups.queuedMails(10), []);
      t.false(await heldSignups.keepMail(mail, NOON + 1));
      const renewed = { now: NOON + 1, codeHash: 'new', codeExpiresAt };
      t.is(await heldSignups.takeOverMail(mail, renewed), null);
    });

  contended('of twenty that take over one mail at once, one gets it', async (t, records, other) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    const mail = { requestId: signup.requestId, mailedAt: NOON };
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? records : other).heldSignups.takeOverMail(mail, {
          ...{ now: NOON + 1 + i, codeHash: `${i}`, codeExpiresAt: NOON + MINUTE_MS },
        }),
      ),
    );
    t.is(taken.filter((signupOf) => signupOf !== null).length, 1);
  });
}
