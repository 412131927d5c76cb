import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { HoldBounds, NewHeldSignup } from '../../../src/storage/held-signups/held-signup-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import { correctionOf } from './held-signup-fixture.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;
const HANDS = 6;
const bounds: HoldBounds = {
  ...{ maxHeld: 10, maxHeldBytes: 1_000_000 },
  budgets: { mailbox: 5, origin: 20, site: 1_000 },
};
let count = 0;

function signupWith(changes: Partial<NewHeldSignup> = {}): NewHeldSignup {
  const requestId = `reviewed-${++count}`;
  return {
    ...{ requestId, pageTokenSha256: `page ${requestId}`, linkTokenSha256: `link ${requestId}` },
    ...{ mailbox: 'jane', budgetKeys: { mailbox: 'jane', origin: 'home' }, domain: 'example.com' },
    ...{ createdAt: NOON, expiresAt: NOON + HOUR_MS, codeHash: 'right', codeExpiresAt: NOON + HOUR_MS },
    ...{ network: '203.0.113.0/24', passNetwork: '203.0.113.0/24', userAgent: 'firefox' },
    sender: { browser: 'Firefox', system: 'Windows', country: 'DE' },
    ...{ keyId: 'k1', size: 8, seal: () => 'c2VhbGVk' },
    ...changes,
  };
}

/** The contract of every engine for the acts of the staff on held and refused signups. */
export function testReviews(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, one: Storage, two: Storage) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), await open(() => NOON));
    });
  const hold = async ({ decisions, heldSignups }: Storage, changes: Partial<NewHeldSignup> = {}) => {
    const signup = signupWith(changes);
    await decisions.record(decisionWith({ requestId: signup.requestId, accountId: 'shop' }));
    const held = await heldSignups.hold(signup, bounds);
    return { ...signup, isHeld: held.held };
  };
  const outcomeOf = async ({ decisions }: Storage, requestId: string) =>
    (await decisions.find(requestId, 'shop'))?.outcome;
  const nullWhenBusy = (error: unknown) => {
    if (error instanceof StorageBusyError) return null;
    throw error;
  };
  const by = (requestId: string, now = NOON) => ({ requestId, actorId: 'support', now });

  contract('of many hands on two nodes and the sender, one claims a signup', async (t, one, two) => {
    const { requestId } = await hold(one);
    const claims = await Promise.all([
      ...Array.from({ length: HANDS }, (_, i) =>
        (i % 2 ? one : two).reviews.claimForReview(by(requestId)).catch(nullWhenBusy),
      ),
      one.heldSignups.claim({ requestId, now: NOON, passTokenSha256: null }).catch(nullWhenBusy),
      two.heldSignups.claimToCorrect(correctionOf(requestId)).catch(nullWhenBusy),
    ]);
    const succeeded = claims.filter((claim) => claim !== null).length;
    // On a busy machine each may have waited for a lock for too long.
    const last = succeeded === 0 ? await one.reviews.claimForReview(by(requestId)) : null;
    t.is(succeeded + (last === null ? 0 : 1), 1);
  });

  contract('a claim is noted, and ends with the answer of the app', async (t, one) => {
    const { requestId, pageTokenSha256 } = await hold(one);
    t.is(await one.reviews.claimForReview(by(requestId, NOON + HOUR_MS)), null);
    const claim = await one.reviews.claimForReview(by(requestId));
    t.like(claim, { was: 'waiting', decisionId: requestId, signup: { sealed: 'c2VhbGVk' } });
    t.is(await outcomeOf(one, requestId), 'let_in');
    t.like((await one.reviews.reviewOf(requestId, NOON))?.record, { act: 'let_in', result: null });
    await one.reviews.finishReview({ requestId, result: 'answered', status: 201 });
    t.like(await one.heldSignups.find(pageTokenSha256, NOON), { state: 'done' });
    const [recent] = await one.reviews.recentReviews({ since: NOON, limit: 5 });
    t.like(recent, { requestId, actorId: 'support', result: 'answered', status: 201 });
    t.is(await one.reviews.deleteReviewsBefore(NOON), 0);
    t.is(await one.reviews.deleteReviewsBefore(NOON + 1), 1);
  });

  contract('an app that was not reached leaves each signup what it was', async (t, one) => {
    for (const state of ['waiting', 'offered', 'refused'] as const) {
      const { requestId } = await hold(one, { state, codeHash: '' });
      const claim = await one.reviews.claimForReview(by(requestId));
      t.is(claim?.was, state);
      await one.reviews.undoReviewClaim({ requestId, was: state });
      t.is(await outcomeOf(one, requestId), null);
      t.like(await one.reviews.reviewOf(requestId, NOON), { record: null, signup: { state } });
    }
  });

  contract(
    'a dismissed signup cannot be confirmed until it is restored, and not after its end',
    async (t, one) => {
      const { requestId } = await hold(one);
      t.like(await one.reviews.dismiss(by(requestId)), { decisionId: requestId });
      t.is(await one.reviews.dismiss(by(requestId)), null);
      t.is(await one.heldSignups.claim({ requestId, now: NOON, passTokenSha256: null }), null);
      t.is(await outcomeOf(one, requestId), 'refused');
      t.is(await one.reviews.restore(requestId, NOON + HOUR_MS), null);
      t.like(await one.reviews.restore(requestId, NOON), { decisionId: requestId });
      t.is(await outcomeOf(one, requestId), null);
      t.truthy(await one.heldSignups.claim({ requestId, now: NOON, passTokenSha256: null }));
      t.is(await one.reviews.restore(requestId, NOON), null);
    },
  );

  contract('the end of a waiting signup moves once from one time to another', async (t, one, two) => {
    const { requestId } = await hold(one);
    const move = { requestId, from: NOON + HOUR_MS, to: NOON + 2 * HOUR_MS, now: NOON };
    const moved = await Promise.all([one.reviews.moveEnd(move), two.reviews.moveEnd(move)]);
    t.is(moved.filter(Boolean).length, 1);
    t.is((await one.reviews.reviewOf(requestId, NOON))?.signup?.expiresAt, NOON + 2 * HOUR_MS);
  });

  contract('refused signups have their own room and queue, count as no mail, and end', async (t, one) => {
    const refused: string[] = [];
    for (let i = 0; i < 6; i++) {
      const signup = await hold(one, { state: 'refused', codeHash: '', expiresAt: NOON + (9 - i) * HOUR_MS });
      if (signup.isHeld) refused.push(signup.requestId);
    }
    t.is(refused.length, 4);
    const waiting = await hold(one);
    t.true(waiting.isHeld);
    const queue = async (state: 'waiting' | 'refused') =>
      (await one.reviews.reviewQueue({ state, now: NOON, limit: 10 })).map(({ requestId }) => requestId);
    t.deepEqual(await queue('refused'), refused.toReversed());
    t.deepEqual(await queue('waiting'), [waiting.requestId]);
    await one.heldSignups.deleteExpired({ now: NOON + 10 * HOUR_MS, passesSince: NOON });
    t.deepEqual(await queue('refused'), []);
    t.is(await one.reviews.reviewOf(refused[0] ?? '', NOON), null);
  });

  contract('an erasure of the mailbox deletes its kept signups', async (t, one) => {
    const { requestId } = await hold(one, { state: 'refused', codeHash: '' });
    await one.decisions.erase({ mailboxHash: 'jane', spellingHash: 'jane' });
    t.is((await one.reviews.reviewOf(requestId, NOON))?.signup ?? null, null);
  });
}
