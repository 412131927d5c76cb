import { NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import {
  attempt,
  bounds,
  budgets,
  claimOf,
  contractOf,
  decided,
  MINUTE_MS,
  markOf,
  outcomeOf,
  renewal,
  signupWith,
  TTL_MS,
} from './held-signup-fixture.ts';

/** The contract of every engine for held signups that their owner reports. */
export function testReports(engine: string, prepare: PrepareStorage, writers: 1 | 2 = 1): void {
  const { contract, contended } = contractOf(engine, prepare, writers);

  contract('a reported signup is dropped, labelled, logged, and cannot be confirmed', async (t, records) => {
    const signup = signupWith();
    await decided(records, signup.requestId);
    await records.heldSignups.hold(signup, bounds);
    t.true(await records.heldSignups.report(signup.requestId, NOON));
    t.false(await records.heldSignups.report(signup.requestId, NOON));
    t.is(await records.heldSignups.claim(claimOf(signup.requestId)), null);
    t.deepEqual(await records.heldSignups.tryCode(attempt(signup.requestId, 'right')), { kind: 'closed' });
    const later = renewal(signup.requestId, { now: NOON + 5 * MINUTE_MS });
    t.is((await records.heldSignups.renewMail(later, budgets)).kind, 'closed');
    t.like(await records.decisions.find(signup.requestId, 'shop'), { outcome: 'reported', label: 'fraud' });
    t.like(await records.audit.page({ before: null, limit: 5 }), [
      { actorId: null, act: 'decision.labelled', subject: signup.requestId, detail: { label: 'fraud' } },
    ]);
    t.is((await records.heldSignups.find(signup.linkTokenSha256, NOON))?.state, 'reported');
    await records.heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON });
    t.is(await records.heldSignups.find(signup.linkTokenSha256, NOON), null);
    t.is(await outcomeOf(records, signup.requestId), 'reported');
  });

  contract('a report makes room, and leaves the label of an operator', async (t, records) => {
    const tight = { ...bounds, maxHeld: 1 };
    const signup = signupWith();
    await decided(records, signup.requestId);
    await records.decisions.label(signup.requestId, 'shop', 'legitimate');
    await records.heldSignups.hold(signup, tight);
    t.true(await records.heldSignups.report(signup.requestId, NOON));
    t.like(await records.decisions.find(signup.requestId, 'shop'), { label: 'legitimate' });
    t.deepEqual(await records.audit.page({ before: null, limit: 5 }), []);
    t.true((await records.heldSignups.hold(signupWith(), tight)).held);
  });

  contract('an expired, locked or claimed signup cannot be reported', async (t, records) => {
    const [expired, claimed] = [signupWith(), signupWith()];
    for (const signup of [expired, claimed]) await records.heldSignups.hold(signup, bounds);
    await records.heldSignups.claim(claimOf(claimed.requestId));
    t.false(await records.heldSignups.report(expired.requestId, NOON + TTL_MS));
    t.false(await records.heldSignups.report(claimed.requestId, NOON));
    await records.heldSignups.release(markOf(claimed.requestId), 'waiting');
    t.true(await records.heldSignups.report(claimed.requestId, NOON));
  });

  contended('of concurrent confirmations and reports one takes effect', async (t, records, other) => {
    for (let round = 0; round < 10; round++) {
      const signup = signupWith({ budgetKeys: { mailbox: `r${round}`, origin: `r${round}` } });
      await records.heldSignups.hold(signup, bounds);
      const wins = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          const { heldSignups } = i % 2 ? records : other;
          if (i % 3 === 0) return heldSignups.report(signup.requestId, NOON);
          if (i % 3 === 1) return (await heldSignups.claim(claimOf(signup.requestId))) !== null;
          return (await heldSignups.tryCode(attempt(signup.requestId, 'right'))).kind === 'claimed';
        }),
      );
      t.is(wins.filter(Boolean).length, 1);
    }
  });
}
