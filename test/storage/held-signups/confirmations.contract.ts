import { NOON } from '../decisions/decision-fixture.ts';
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
  MINUTE_MS,
  markOf,
  outcomeOf,
  pass,
  renewal,
  SEALED,
  signupWith,
  TTL_MS,
} from './held-signup-fixture.ts';

/** The contract of every engine for codes and links that confirm held signups, and what lets the next one pass. */
export function testConfirmations(engine: string, prepare: PrepareStorage, writers: 1 | 2 = 1): void {
  const { contract, contended } = contractOf(engine, prepare, writers);

  contract('the right code claims once, and the decision is marked verified', async (t, records) => {
    const { requestId } = signupWith();
    await decided(records, requestId);
    await records.heldSignups.hold(
      signupWith({ requestId, linkTokenSha256: 'l', pageTokenSha256: 'p' }),
      bounds,
    );
    t.deepEqual(await records.heldSignups.tryCode(attempt(requestId, 'right')), {
      ...{ kind: 'claimed', signup: { requestId, keyId: 'k1', sealed: SEALED } },
    });
    t.deepEqual(await records.heldSignups.tryCode(attempt(requestId, 'right')), { kind: 'closed' });
    t.is(await records.heldSignups.claim(claimOf(requestId, NOON)), null);
    t.is(await outcomeOf(records, requestId), 'verified');
    const concluded = [];
    for await (const one of records.decisions.concluded(NOON)) concluded.push([one.outcome, one.concludedAt]);
    t.deepEqual(concluded, [['verified', NOON]]);
    await records.heldSignups.finish(requestId);
    t.like(await records.heldSignups.find('p', NOON), { state: 'done' });
  });

  contended('of 50 concurrent confirmations by code and by link, one claims', async (t, records, other) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    const claims = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const { heldSignups } = i % 2 ? records : other;
        if (i % 3 === 0) return (await heldSignups.claim(claimOf(signup.requestId, NOON))) !== null;
        return (await heldSignups.tryCode(attempt(signup.requestId, 'right'))).kind === 'claimed';
      }),
    );
    t.is(claims.filter(Boolean).length, 1);
  });

  contended('the fifth wrong code locks the signup, whatever follows', async (t, records, other) => {
    const signup = signupWith();
    await decided(records, signup.requestId);
    await records.heldSignups.hold(signup, bounds);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? records : other).heldSignups.tryCode(attempt(signup.requestId, 'wrong')),
      ),
    );
    const left = outcomes.flatMap((outcome) => (outcome.kind === 'wrong' ? [outcome.triesLeft] : []));
    t.deepEqual(left.sort(), [1, 2, 3, 4]);
    t.is(outcomes.filter(({ kind }) => kind === 'locked').length, 1);
    t.is(outcomes.filter(({ kind }) => kind === 'closed').length, 5);
    t.deepEqual(await records.heldSignups.tryCode(attempt(signup.requestId, 'right')), { kind: 'closed' });
    t.is(await records.heldSignups.claim(claimOf(signup.requestId, NOON)), null);
    t.is(await outcomeOf(records, signup.requestId), 'locked');
    t.false(await records.heldSignups.takePass(pass()));
  });

  contract(
    'a code past its own time claims nothing and costs no try; the link still does',
    async (t, records) => {
      const signup = signupWith();
      await records.heldSignups.hold(signup, bounds);
      const later = NOON + 10 * MINUTE_MS;
      t.deepEqual(await records.heldSignups.tryCode(attempt(signup.requestId, 'right', later)), {
        kind: 'closed',
      });
      t.is((await records.heldSignups.find(signup.pageTokenSha256, later))?.tries, 0);
      t.truthy(await records.heldSignups.claim(claimOf(signup.requestId, later)));
    },
  );

  contract('an expired signup cannot be claimed by anything', async (t, records) => {
    const signup = signupWith({ codeExpiresAt: NOON + 2 * TTL_MS });
    await records.heldSignups.hold(signup, bounds);
    const after = NOON + TTL_MS;
    t.deepEqual(await records.heldSignups.tryCode(attempt(signup.requestId, 'right', after)), {
      kind: 'closed',
    });
    t.is(await records.heldSignups.claim(claimOf(signup.requestId, after)), null);
    t.is(
      (await records.heldSignups.renewMail(renewal(signup.requestId, { now: after }), budgets)).kind,
      'closed',
    );
  });

  contract('a signup whose app was never reached can be claimed again', async (t, records) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    t.truthy(await records.heldSignups.claim(claimOf(signup.requestId, NOON)));
    await records.heldSignups.release(markOf(signup.requestId), 'waiting');
    t.is((await records.heldSignups.tryCode(attempt(signup.requestId, 'right'))).kind, 'claimed');
    await records.heldSignups.finish(signup.requestId);
    await records.heldSignups.release(markOf(signup.requestId), 'waiting');
    t.is(await records.heldSignups.claim(claimOf(signup.requestId, NOON)), null);
  });

  contract('a claim is released only by its own process', async (t, records) => {
    const signup = signupWith();
    const { requestId } = signup;
    await records.heldSignups.hold(signup, bounds);
    for (const [claim, other] of [
      [claimOf(requestId, NOON, 'a browser'), { ...markOf(requestId), tokenSha256: 'another browser' }],
      [claimOf(requestId, NOON, 'a browser'), markOf(requestId)],
      [claimOf(requestId, NOON), markOf(requestId, NOON + 1)],
      [claimOf(requestId, NOON), correctionMarkOf(requestId)],
    ] as const) {
      t.truthy(await records.heldSignups.claim(claim));
      await records.heldSignups.release(other, 'waiting');
      t.is(await records.heldSignups.claim(claim), null);
      await records.heldSignups.release(
        { requestId, verifiedAt: claim.now, tokenSha256: claim.passTokenSha256 },
        'waiting',
      );
    }
    t.truthy(await records.heldSignups.claimToCorrect(correctionOf(requestId)));
    await records.heldSignups.release(markOf(requestId, null), 'waiting');
    t.is(await records.heldSignups.claimToCorrect(correctionOf(requestId)), null);
  });

  contended('a verified mailbox passes once, also with concurrent requests', async (t, records, other) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    t.false(await records.heldSignups.takePass(pass()));
    await records.heldSignups.claim(claimOf(signup.requestId, NOON));
    await records.heldSignups.finish(signup.requestId);
    t.false(await records.heldSignups.takePass(pass({ since: NOON + 1 })));
    t.false(await records.heldSignups.takePass(pass({ mailbox: 'joe' })));
    const passes = await Promise.all(
      [records, other, records, other].map(({ heldSignups }) => heldSignups.takePass(pass())),
    );
    t.is(passes.filter(Boolean).length, 1);
  });

  for (const [title, passToken, changes, passes] of [
    ['the same network and program', null, {}, true],
    ['another network', null, { network: '198.51.100.0/24' }, false],
    ['another program', null, { userAgent: 'chrome' }, false],
    ['no user agent', null, { userAgent: '' }, false],
    ['a token, where a program confirmed', null, { userAgent: 'chrome', tokens: ['right'] }, false],
    ['the token of the browser', 'right', { userAgent: 'another by now', tokens: ['wrong', 'right'] }, true],
    ['the same user agent without the token', 'right', {}, false],
    ['another token', 'right', { tokens: ['wrong'] }, false],
    ['the token from another network', 'right', { network: '198.51.100.0/24', tokens: ['right'] }, false],
  ] as const) {
    contract(
      `a mailbox that verified ${passes ? 'passes' : 'does not pass'} with ${title}`,
      async (t, records) => {
        const signup = signupWith();
        await records.heldSignups.hold(signup, bounds);
        await records.heldSignups.tryCode({
          ...attempt(signup.requestId, 'right'),
          passTokenSha256: passToken,
        });
        t.is(await records.heldSignups.takePass(pass(changes)), passes);
      },
    );
  }

  contract('a signup that was held without a network never lets another pass', async (t, records) => {
    const signup = signupWith({ passNetwork: '', userAgent: '' });
    await records.heldSignups.hold(signup, bounds);
    await records.heldSignups.claim(claimOf(signup.requestId));
    t.false(await records.heldSignups.takePass(pass({ userAgent: '' })));
  });
}
