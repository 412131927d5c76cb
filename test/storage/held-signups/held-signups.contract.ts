import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type {
  HoldBounds,
  NewHeldSignup,
  PassRequest,
} from '../../../src/storage/held-signups/held-signup-store.ts';
import type { MailBudgets } from '../../../src/storage/held-signups/mail-budgets.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const MINUTE_MS = 60_000;
const TTL_MS = 30 * MINUTE_MS;

const budgets: MailBudgets = { mailbox: 5, origin: 20, site: 1_000 };
const bounds: HoldBounds = { maxHeld: 10_000, maxHeldBytes: 1_000_000, budgets };
const SEALED = 'c2VhbGVk';
let count = 0;

const sealedOf = (length: number) => ({ size: length, seal: () => 'x'.repeat(length) });

function signupWith(changes: Partial<NewHeldSignup> = {}): NewHeldSignup {
  const requestId = `request-${++count}`;
  return {
    ...{ requestId, pageTokenSha256: `page ${requestId}`, linkTokenSha256: `link ${requestId}` },
    ...{ mailbox: 'jane', budgetKeys: { mailbox: 'jane', origin: 'home' }, domain: 'example.com' },
    ...{ createdAt: NOON, expiresAt: NOON + TTL_MS, codeHash: 'right', codeExpiresAt: NOON + 10 * MINUTE_MS },
    ...{ network: '203.0.113.0/24', passNetwork: '203.0.113.0/24', userAgent: 'firefox' },
    sender: { browser: 'Firefox', system: 'Windows', country: 'DE' },
    ...{ keyId: 'k1', size: SEALED.length, seal: () => SEALED },
    ...changes,
  };
}

/**
 * The contract of every engine for held signups. `prepare` gives each test a separate database. With two writers only
 * concurrent calls are tested: they wait for each other's lock, which takes seconds.
 */
export function testHeldSignups(engine: string, prepare: PrepareStorage, writers: 1 | 2 = 1): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, records: Storage, open: OpenAgain) => Promise<void>,
  ) =>
    writers === 1 &&
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });
  /** At once, from as many processes as write. */
  const contended = (
    title: string,
    run: (t: ExecutionContext, records: Storage, other: Storage) => Promise<void>,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      const records = await open(() => NOON);
      await run(t, records, writers === 1 ? records : await open(() => NOON));
    });
  const outcomeOf = async ({ decisions }: Storage, requestId: string) =>
    (await decisions.find(requestId, 'shop'))?.outcome;
  const decided = async ({ decisions }: Storage, requestId: string) =>
    decisions.record(decisionWith({ requestId, accountId: 'shop' }));
  const attempt = (requestId: string, codeHash: string, now = NOON) => ({
    ...{ requestId, codeHash, now, maxTries: 5, passTokenSha256: null },
  });
  const claimOf = (requestId: string, now = NOON, passTokenSha256: string | null = null) => ({
    ...{ requestId, now, passTokenSha256 },
  });
  const pass = (changes: Partial<PassRequest> = {}): PassRequest => ({
    ...{ mailbox: 'jane', network: '203.0.113.0/24', userAgent: 'firefox', tokens: [], since: NOON },
    ...changes,
  });

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
      t.is(await heldSignups.claimToCorrect({ requestId, now: NOON + TTL_MS }), null);
      t.like(await heldSignups.claimToCorrect({ requestId, now: NOON }), { requestId, sealed: SEALED });
      t.is(await heldSignups.claimToCorrect({ requestId, now: NOON }), null);
      t.is(await heldSignups.claim(claimOf(requestId)), null);
      await heldSignups.release(requestId, 'waiting');
      t.like(await heldSignups.find(pageTokenSha256, NOON), {
        state: 'waiting',
        sealedSuggestion: 'c3VnZ2VzdGVk',
      });
      await heldSignups.claimToCorrect({ requestId, now: NOON });
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
        t.like(await heldSignups.claimToCorrect({ requestId, now: NOON }), { requestId });
        await heldSignups.release(requestId, 'offered');
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
      await heldSignups.claimToCorrect({ requestId: first.requestId, now: NOON });
      t.true((await heldSignups.hold(signupWith(sealedOf(20)), small)).held);
      await heldSignups.release(first.requestId, 'waiting');
      t.false((await heldSignups.hold(signupWith(sealedOf(1)), small)).held);
    },
  );

  contract('an expired signup takes its suggestion with it', async (t, records, open) => {
    const signup = signupWith({ sealedSuggestion: 'c3VnZ2VzdGVk' });
    await records.heldSignups.hold(signup, bounds);
    await records.heldSignups.claimToCorrect({ requestId: signup.requestId, now: NOON });
    const other = await open(() => NOON);
    await other.heldSignups.deleteExpired({ now: NOON + TTL_MS, passesSince: NOON });
    t.is(await records.heldSignups.find(signup.pageTokenSha256, NOON), null);
    // The primary key is free again: the row of the suggestion is gone too.
    t.true((await records.heldSignups.hold(signup, bounds)).held);
  });

  contract('held signups are limited in number and in size', async (t, records) => {
    const small = { ...bounds, maxHeld: 2, maxHeldBytes: 20 };
    t.true((await records.heldSignups.hold(signupWith(), small)).held);
    const large = signupWith(sealedOf(13));
    const full = { held: false, because: 'full', of: 'all' } as const;
    t.deepEqual(await records.heldSignups.hold(large, small), full);
    t.true((await records.heldSignups.hold(signupWith(), small)).held);
    t.deepEqual(await records.heldSignups.hold(signupWith(sealedOf(1)), small), full);
    t.is(await records.heldSignups.find(large.pageTokenSha256, NOON), null);
  });

  contract(
    'a signup that is not held is not sealed, and budgets are checked before the limits',
    async (t, records) => {
      const seal = () => {
        throw new Error('sealed for nothing');
      };
      const none = { ...bounds, maxHeldBytes: 1 };
      t.like(await records.heldSignups.hold(signupWith({ seal }), none), { because: 'full' });
      const spent = { ...none, budgets: { ...budgets, mailbox: 1 } };
      await records.heldSignups.hold(signupWith(), bounds);
      t.like(await records.heldSignups.hold(signupWith({ seal }), spent), { because: 'budget' });
    },
  );

  const fromAddress = (address: string, network: string, length: number) =>
    signupWith({ budgetKeys: { mailbox: `m${count}`, origin: address }, network, ...sealedOf(length) });
  const unbudgeted = { mailbox: 1e9, origin: 1e9, site: 1e9 };

  contract('one address has a sixteenth of the free room, its network an eighth', async (t, records) => {
    const room = { maxHeld: 10_000, maxHeldBytes: 4_000_000, budgets: unbudgeted };
    const heldFrom = async (address: (i: number) => string) => {
      let bytes = 0;
      for (let i = 0; i < 40; i++) {
        const outcome = await records.heldSignups.hold(fromAddress(address(i), 'net', 20_000), room);
        if (outcome.held) bytes += 20_000;
        else t.deepEqual(outcome, { held: false, because: 'full', of: 'sender' });
      }
      return bytes;
    };
    // Uploads may use 3,000,000: one address holds at most a 16th of what is free then, all of the network an 8th.
    t.is(await heldFrom(() => 'one'), 160_000);
    t.is(await heldFrom((i) => `neighbour ${i}`), 160_000);
    t.true((await records.heldSignups.hold(fromAddress('elsewhere', 'other net', 20_000), room)).held);
  });

  contract('a hundred senders that take all they get leave room for the next', async (t, records) => {
    const room = { maxHeld: 10_000, maxHeldBytes: 8_000_000, budgets: unbudgeted };
    for (let sender = 0; sender < 100; sender++) {
      for (let size = 1_400_000; size > 1_000; size /= 2) {
        await records.heldSignups.hold(fromAddress(`a${sender}`, `n${sender}`, Math.floor(size)), room);
      }
    }
    t.true((await records.heldSignups.hold(fromAddress('person', 'home', 4_000), room)).held);
    t.deepEqual(await records.heldSignups.hold(fromAddress('person', 'home', 20_000), room), {
      ...{ held: false, because: 'full', of: 'all' },
    });
  });

  contract('one sender has a part of the places too, and four of even a small room', async (t, records) => {
    const holdFrom = (maxHeld: number) =>
      records.heldSignups.hold(fromAddress('one', 'net', 10), { ...bounds, maxHeld, budgets: unbudgeted });
    const held: boolean[] = [];
    for (let i = 0; i < 6; i++) held.push((await holdFrom(50)).held);
    t.deepEqual(held, [true, true, true, true, false, false]);
    t.deepEqual(await holdFrom(50), { held: false, because: 'full', of: 'sender' });
    t.true((await holdFrom(100)).held);
  });

  contended('signups that come at once share the last of the room', async (t, records, other) => {
    const room = { maxHeld: 7, maxHeldBytes: 100_000, budgets: unbudgeted };
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? records : other).heldSignups.hold(fromAddress(`a${i}`, `n${i}`, 100), room),
      ),
    );
    t.is(outcomes.filter(({ held }) => held).length, 7);
    const bytes = { maxHeld: 1_000, maxHeldBytes: 5_000, budgets: unbudgeted };
    const more = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? records : other).heldSignups.hold(fromAddress(`b${i}`, `m${i}`, 1_000), bytes),
      ),
    );
    t.is(more.filter(({ held }) => held).length, 4);
  });

  contended(
    'whatever part of a budget comes at once, no more mails are counted',
    async (t, records, other) => {
      for (const [name, keys, limits] of [
        ['address', (i: number) => ({ mailbox: `a${i}`, origin: 'home' }), { ...unbudgeted, origin: 6 }],
        ['site', (i: number) => ({ mailbox: `s${i}`, origin: `s${i}` }), { ...unbudgeted, site: 9 }],
      ] as const) {
        const outcomes = await Promise.all(
          Array.from({ length: 30 }, (_, i) =>
            (i % 2 ? records : other).heldSignups.hold(signupWith({ budgetKeys: keys(i) }), {
              ...{ ...bounds, budgets: limits },
            }),
          ),
        );
        // The site has had the six of the address already.
        t.is(outcomes.filter(({ held }) => held).length, name === 'address' ? 6 : 3, name);
      }
    },
  );

  contract('finished signups make room again', async (t, records) => {
    const tight = { ...bounds, maxHeld: 1 };
    const first = signupWith();
    await records.heldSignups.hold(first, tight);
    await records.heldSignups.claim(claimOf(first.requestId, NOON));
    t.false((await records.heldSignups.hold(signupWith(), tight)).held);
    await records.heldSignups.finish(first.requestId);
    t.true((await records.heldSignups.hold(signupWith(), tight)).held);
  });

  for (const [name, keys, limit] of [
    ['mailbox', (i: number) => ({ mailbox: 'jane', origin: `home ${i}` }), budgets.mailbox],
    ['address', (i: number) => ({ mailbox: `jane ${i}`, origin: 'home' }), budgets.origin],
  ] as const) {
    contract(`one ${name} causes no more mails than its budget in any hour`, async (t, records) => {
      const holdAt = (i: number, createdAt: number) =>
        records.heldSignups.hold(
          signupWith({ budgetKeys: keys(i), createdAt, expiresAt: createdAt + 1 }),
          bounds,
        );
      for (let i = 0; i < limit; i++) t.true((await holdAt(i, NOON + i)).held);
      t.deepEqual(await holdAt(limit, NOON + 1_000), {
        ...{ held: false, because: 'budget', retryAfterMs: 3_600_000 - 1_000 },
      });
      t.false((await holdAt(limit, NOON + 3_600_000 - 1)).held);
      t.true((await holdAt(limit, NOON + 3_600_000)).held);
      t.like(await holdAt(limit, NOON + 3_600_000), { held: false, retryAfterMs: 1 });
    });
  }

  contract(
    'the site as a whole has a budget, shared by processes and kept by a restart',
    async (t, records, open) => {
      const tight = { ...bounds, budgets: { ...budgets, site: 3 } };
      const elsewhere = (i: number) => signupWith({ budgetKeys: { mailbox: `m${i}`, origin: `o${i}` } });
      t.true((await records.heldSignups.hold(elsewhere(1), tight)).held);
      t.true((await (await open(() => NOON)).heldSignups.hold(elsewhere(2), tight)).held);
      t.true((await records.heldSignups.hold(elsewhere(3), tight)).held);
      t.like(await (await open(() => NOON)).heldSignups.hold(elsewhere(4), tight), { because: 'budget' });
    },
  );

  contended('concurrent attempts share one budget', async (t, records, other) => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? records : other).heldSignups.hold(
          signupWith({ budgetKeys: { mailbox: 'jane', origin: `o${i}` } }),
          bounds,
        ),
      ),
    );
    t.is(outcomes.filter(({ held }) => held).length, 5);
  });

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
    await records.heldSignups.release(signup.requestId, 'waiting');
    t.is((await records.heldSignups.tryCode(attempt(signup.requestId, 'right'))).kind, 'claimed');
    await records.heldSignups.finish(signup.requestId);
    await records.heldSignups.release(signup.requestId, 'waiting');
    t.is(await records.heldSignups.claim(claimOf(signup.requestId, NOON)), null);
  });

  const renewal = (requestId: string, changes: { now?: number; codeHash?: string } = {}) => ({
    ...{ requestId, maxMails: 3, waitMs: MINUTE_MS, codeHash: 'newer', now: NOON + MINUTE_MS },
    ...{ codeExpiresAt: NOON + 20 * MINUTE_MS },
    ...changes,
  });

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
    await records.heldSignups.release(claimed.requestId, 'waiting');
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
