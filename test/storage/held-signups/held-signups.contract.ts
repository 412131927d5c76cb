import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import {
  attempt,
  bounds,
  budgets,
  claimOf,
  contractOf,
  correctionMarkOf,
  correctionOf,
  decided,
  outcomeOf,
  pass,
  SEALED,
  sealedOf,
  signupWith,
  TTL_MS,
} from './held-signup-fixture.ts';

/** The contract of every engine for held signups: how they are found, corrected, and deleted. */
export function testHeldSignups(engine: string, prepare: PrepareStorage): void {
  const { contract } = contractOf(engine, prepare);

  contract(
    'a held signup is found by either token until it expires, and by nothing else',
    async (t, records) => {
      const signup = signupWith();
      t.deepEqual(await records.heldSignups.hold(signup, bounds), { held: true });
      const found = await records.heldSignups.find(signup.pageTokenSha256, NOON);
      t.like(found, {
        requestId: signup.requestId,
        by: 'page',
        state: 'waiting',
        mails: 1,
        mailState: 'queued',
      });
      t.is((await records.heldSignups.find(signup.linkTokenSha256, NOON))?.by, 'link');
      t.is(await records.heldSignups.find(signup.pageTokenSha256, NOON + TTL_MS), null);
      t.is(await records.heldSignups.find('other', NOON), null);
    },
  );

  contract(
    'an accepted suggestion claims once, does not verify, and links both decisions',
    async (t, { heldSignups, ...records }) => {
      const signup = signupWith({ sealedSuggestion: 'c3VnZ2VzdGVk' });
      const { requestId, pageTokenSha256 } = signup;
      await decided({ heldSignups, ...records }, requestId);
      await heldSignups.hold(signup, bounds);
      t.is((await heldSignups.find(pageTokenSha256, NOON))?.sealedSuggestion, 'c3VnZ2VzdGVk');
      t.is(await heldSignups.claimToCorrect(correctionOf(requestId, NOON + TTL_MS)), null);
      t.like(await heldSignups.claimToCorrect(correctionOf(requestId)), { requestId, sealed: SEALED });
      t.is(await heldSignups.claimToCorrect(correctionOf(requestId)), null);
      t.is(await heldSignups.claim(claimOf(requestId)), null);
      await heldSignups.release(correctionMarkOf(requestId), 'waiting');
      t.like(await heldSignups.find(pageTokenSha256, NOON), {
        state: 'waiting',
        sealedSuggestion: 'c3VnZ2VzdGVk',
      });
      await heldSignups.claimToCorrect(correctionOf(requestId));
      await heldSignups.finishCorrected({ requestId, correctedAs: 'later', now: NOON });
      t.like(await heldSignups.find(pageTokenSha256, NOON), { state: 'done', sealedSuggestion: null });
      t.is(await heldSignups.takePass(pass()), false);
      t.is(await outcomeOf({ heldSignups, ...records }, requestId), 'corrected');
      t.deepEqual(await heldSignups.correctionsOf(requestId), { corrects: null, correctedAs: 'later' });
      t.deepEqual(await heldSignups.correctionsOf('later'), { corrects: requestId, correctedAs: null });
      t.deepEqual(await heldSignups.correctionsOf('other'), { corrects: null, correctedAs: null });
      await records.decisions.deleteBefore(NOON + 1);
      t.deepEqual(await heldSignups.correctionsOf('later'), { corrects: null, correctedAs: null });
    },
  );

  contract(
    'an offer can only be corrected, whatever happens in between',
    async (t, { heldSignups, ...records }) => {
      const signup = signupWith({ sealedSuggestion: 'c3VnZ2VzdGVk', state: 'offered', codeHash: '' });
      const { requestId, pageTokenSha256 } = signup;
      await decided({ heldSignups, ...records }, requestId);
      await heldSignups.hold(signup, bounds);
      for (const _time of ['before', 'after a release']) {
        t.like(await heldSignups.find(pageTokenSha256, NOON), { state: 'offered', mails: 0 });
        t.is((await heldSignups.tryCode(attempt(requestId, ''))).kind, 'closed');
        t.is(await heldSignups.claim(claimOf(requestId)), null);
        t.false(await heldSignups.report(requestId, NOON));
        const renewal = {
          requestId,
          now: NOON,
          maxMails: 3,
          waitMs: 0,
          codeHash: 'new',
          codeExpiresAt: NOON + TTL_MS,
        };
        t.is((await heldSignups.renewMail(renewal, budgets)).kind, 'closed');
        t.like(await heldSignups.claimToCorrect(correctionOf(requestId)), { requestId });
        await heldSignups.release(correctionMarkOf(requestId), 'offered');
      }
      t.is(await heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON }), 0);
      t.is(await heldSignups.find(pageTokenSha256, NOON), null);
      t.is(await outcomeOf({ heldSignups, ...records }, requestId), null);
    },
  );

  contract(
    'a signup whose suggestion is being used takes no room, until it is released',
    async (t, records) => {
      const { heldSignups } = records;
      const small = { ...bounds, maxHeldBytes: 30 };
      const first = signupWith(sealedOf(20));
      t.true((await heldSignups.hold(first, small)).held);
      await heldSignups.claimToCorrect(correctionOf(first.requestId));
      t.true((await heldSignups.hold(signupWith(sealedOf(20)), small)).held);
      await heldSignups.release(correctionMarkOf(first.requestId), 'waiting');
      t.false((await heldSignups.hold(signupWith(sealedOf(1)), small)).held);
    },
  );

  contract('a signup that is taken back leaves nothing', async (t, records) => {
    const tight = { ...bounds, maxHeld: 1, budgets: { mailbox: 1, origin: 1, site: 1 } };
    for (const changes of [{}, { decisionId: 'earlier' }, { state: 'offered', codeHash: '' } as const]) {
      const signup = signupWith({ sealedSuggestion: 'c3VnZ2VzdGVk', ...changes });
      t.deepEqual(await records.heldSignups.hold(signup, tight), { held: true });
      await records.heldSignups.takeBack(signup);
      t.is(await records.heldSignups.find(signup.pageTokenSha256, NOON), null);
      await records.heldSignups.takeBack(signup);
    }
    const claimed = signupWith();
    await records.heldSignups.hold(claimed, tight);
    await records.heldSignups.claim(claimOf(claimed.requestId));
    await records.heldSignups.takeBack(claimed);
    t.like(await records.heldSignups.find(claimed.pageTokenSha256, NOON), { state: 'claimed' });
  });

  contract('an expired signup takes its suggestion with it', async (t, records, open) => {
    const signup = signupWith({ sealedSuggestion: 'c3VnZ2VzdGVk' });
    await records.heldSignups.hold(signup, bounds);
    await records.heldSignups.claimToCorrect(correctionOf(signup.requestId));
    const other = await open(() => NOON);
    await other.heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON });
    t.is(await records.heldSignups.find(signup.pageTokenSha256, NOON), null);
    // The primary key is free again: the row of the suggestion is gone too.
    t.true((await records.heldSignups.hold(signup, bounds)).held);
  });

  contract(
    'the outcome of a signup whose decision repeats another is stored with that decision',
    async (t, records) => {
      for (const [end, outcome] of [
        [(id: string) => records.heldSignups.report(id, NOON), 'reported'],
        [(id: string) => records.heldSignups.claim(claimOf(id)), 'verified'],
        [(id: string) => records.heldSignups.tryCode({ ...attempt(id, 'wrong'), maxTries: 1 }), 'locked'],
        [() => records.heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON }), 'expired'],
      ] as const) {
        const decisionId = `kept as ${outcome}`;
        await decided(records, decisionId);
        const budgetKeys = { mailbox: outcome, origin: outcome };
        const [first, second] = [
          signupWith({ decisionId, budgetKeys }),
          signupWith({ decisionId, budgetKeys }),
        ];
        for (const signup of [first, second]) t.true((await records.heldSignups.hold(signup, bounds)).held);
        await end(first.requestId);
        t.is(await outcomeOf(records, decisionId), outcome);
        if (outcome === 'reported')
          t.like(await records.decisions.find(decisionId, 'shop'), { label: 'fraud' });
      }
    },
  );

  contract(
    'expired signups are deleted: waiting ones expire, verified ones still let the next one pass',
    async (t, records) => {
      const [waiting, verified, lost] = [signupWith(), signupWith(), signupWith()];
      for (const { requestId } of [waiting, verified, lost]) await decided(records, requestId);
      for (const signup of [waiting, verified, lost]) await records.heldSignups.hold(signup, bounds);
      const verifiedAt = NOON + TTL_MS - 1;
      await records.heldSignups.claim(claimOf(verified.requestId, verifiedAt));
      await records.heldSignups.finish(verified.requestId);
      await records.heldSignups.claim(claimOf(lost.requestId, NOON));
      const deleteAt = (now: number) => records.heldSignups.deleteExpired({ now, passesSince: now - TTL_MS });

      t.is(await deleteAt(NOON + TTL_MS - 1), 0);
      t.is((await records.heldSignups.find(waiting.pageTokenSha256, NOON))?.state, 'waiting');
      t.is(await deleteAt(NOON + TTL_MS), 1);
      t.is(await records.heldSignups.find(waiting.pageTokenSha256, NOON), null);
      t.is(await outcomeOf(records, waiting.requestId), 'expired');
      t.is(await outcomeOf(records, verified.requestId), 'verified');
      t.is((await records.heldSignups.find(lost.pageTokenSha256, NOON))?.state, 'done');
      await deleteAt(verifiedAt + TTL_MS);
      t.is(await records.heldSignups.find(lost.pageTokenSha256, NOON), null);
      t.true(await records.heldSignups.takePass(pass({ since: verifiedAt })));
      await deleteAt(verifiedAt + TTL_MS + 1);
      t.is(await records.heldSignups.find(verified.pageTokenSha256, NOON), null);
    },
  );

  contract('many that expire at once are all deleted', async (t, records) => {
    for (let i = 0; i < 250; i++) {
      const budgetKeys = { mailbox: `m${i}`, origin: `o${i}` };
      await records.heldSignups.hold(signupWith({ budgetKeys }), bounds);
    }
    t.is(await records.heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON }), 250);
    t.is(await records.heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON }), 0);
  });

  contract('erasing a mailbox removes its held signups', async (t, records) => {
    const [janes, joes] = [signupWith(), signupWith({ mailbox: 'joe' })];
    for (const signup of [janes, joes]) await records.heldSignups.hold(signup, bounds);
    await records.decisions.erase({ mailboxHash: 'jane', spellingHash: 'jane' });
    t.is(await records.heldSignups.find(janes.pageTokenSha256, NOON), null);
    t.truthy(await records.heldSignups.find(joes.pageTokenSha256, NOON));
  });

  contract('erasing a mailbox removes what its sender typed in place of it', async (t, records) => {
    const { heldSignups, decisions } = records;
    const typed = signupWith({ mailbox: 'jnae', sealedSuggestion: 'c3VnZ2VzdGVk' });
    // The person whose mailbox it is: a stranger can type it and accept the correction without a proof.
    const owners = signupWith({ mailbox: 'jnae' });
    const { requestId } = typed;
    const AT_HOME = '203.0.113.0/24';
    for (const [id, mailbox, network] of [
      [requestId, 'jnae', AT_HOME],
      ['retried', 'jnae', AT_HOME],
      ['meant', 'jane', AT_HOME],
      ['joes', 'joe', AT_HOME],
      [owners.requestId, 'jnae', '198.51.100.0/24'],
    ] as const) {
      const { identity, ...decision } = decisionWith({ requestId: id, accountId: 'shop' });
      await decisions.record({ ...decision, identity: { ...identity, mailbox, spelling: mailbox, network } });
    }
    await heldSignups.hold(typed, bounds);
    await heldSignups.hold(owners, bounds);
    await heldSignups.finishCorrected({ requestId, correctedAs: 'meant', now: NOON });
    t.is(await decisions.erase({ mailboxHash: 'jane', spellingHash: 'jane' }), 3);
    for (const id of [requestId, 'retried', 'meant']) t.is(await decisions.find(id, 'shop'), null, id);
    t.is(await heldSignups.find(typed.pageTokenSha256, NOON), null);
    t.deepEqual(await heldSignups.correctionsOf('meant'), { corrects: null, correctedAs: null });
    t.truthy(await decisions.find('joes', 'shop'));
    t.truthy(await decisions.find(owners.requestId, 'shop'), 'of the owner');
    t.truthy(await heldSignups.find(owners.pageTokenSha256, NOON), 'of the owner');
  });
}
