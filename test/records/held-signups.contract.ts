import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Clock } from '../../src/clock.ts';
import type { HoldBounds, MailBudgets, NewHeldSignup } from '../../src/records/held-signup-records.ts';
import type { Records } from '../../src/records/records.ts';
import { decisionWith, NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
const MINUTE_MS = 60_000;
const TTL_MS = 30 * MINUTE_MS;

type OpenAgain = (clock: Clock) => Promise<Records>;

const budgets: MailBudgets = { mailbox: 5, origin: 20, site: 1_000 };
const bounds: HoldBounds = { maxHeld: 10_000, maxHeldBytes: 1_000_000, budgets };
let count = 0;

function signupWith(changes: Partial<NewHeldSignup> = {}): NewHeldSignup {
  const requestId = `request-${++count}`;
  return {
    ...{ requestId, pageTokenSha256: `page ${requestId}`, linkTokenSha256: `link ${requestId}` },
    ...{ mailbox: 'jane', budgetKeys: { mailbox: 'jane', origin: 'home' }, domain: 'example.com' },
    ...{ createdAt: NOON, expiresAt: NOON + TTL_MS, codeHash: 'right', codeExpiresAt: NOON + 10 * MINUTE_MS },
    ...{ keyId: 'k1', sealed: 'c2VhbGVk' },
    ...changes,
  };
}

/** What every engine must do for held signups. `prepare` gives each test a database of its own. */
export function testHeldSignups(engine: string, prepare: (t: ExecutionContext) => Promise<OpenAgain>): void {
  const contract = (
    title: string,
    run: (t: ExecutionContext, records: Records, open: OpenAgain) => Promise<void>,
  ) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });
  const outcomeOf = async ({ decisions }: Records, requestId: string) =>
    (await decisions.find(requestId, 'shop'))?.outcome;
  const decided = async ({ decisions }: Records, requestId: string) =>
    decisions.record(decisionWith({ requestId, accountId: 'shop' }));
  const attempt = (requestId: string, codeHash: string, now = NOON) => ({
    ...{ requestId, codeHash, now, maxTries: 5 },
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

  contract('what waits is bounded in number and in size', async (t, records) => {
    const small = { ...bounds, maxHeld: 2, maxHeldBytes: 20 };
    t.true((await records.heldSignups.hold(signupWith(), small)).held);
    const large = signupWith({ sealed: 'x'.repeat(13) });
    t.deepEqual(await records.heldSignups.hold(large, small), { held: false, because: 'full' });
    t.true((await records.heldSignups.hold(signupWith(), small)).held);
    t.deepEqual(await records.heldSignups.hold(signupWith({ sealed: 'x' }), small), {
      ...{ held: false, because: 'full' },
    });
    t.is(await records.heldSignups.find(large.pageTokenSha256, NOON), null);
  });

  contract('what is done with makes room again', async (t, records) => {
    const tight = { ...bounds, maxHeld: 1 };
    const first = signupWith();
    await records.heldSignups.hold(first, tight);
    await records.heldSignups.claim(first.requestId, NOON);
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

  contract('attempts that come at once share one budget', async (t, records, open) => {
    const other = await open(() => NOON);
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
    const { requestId, sealed } = signupWith();
    await decided(records, requestId);
    await records.heldSignups.hold(
      signupWith({ requestId, linkTokenSha256: 'l', pageTokenSha256: 'p' }),
      bounds,
    );
    t.deepEqual(await records.heldSignups.tryCode(attempt(requestId, 'right')), {
      ...{ kind: 'claimed', signup: { requestId, keyId: 'k1', sealed } },
    });
    t.deepEqual(await records.heldSignups.tryCode(attempt(requestId, 'right')), { kind: 'closed' });
    t.is(await records.heldSignups.claim(requestId, NOON), null);
    t.is(await outcomeOf(records, requestId), 'verified');
    await records.heldSignups.finish(requestId);
    t.like(await records.heldSignups.find('p', NOON), { state: 'done' });
  });

  contract(
    'of 50 that come at once from two processes, by code and by link, one claims',
    async (t, records, open) => {
      const signup = signupWith();
      await records.heldSignups.hold(signup, bounds);
      const other = await open(() => NOON);
      const claims = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          const { heldSignups } = i % 2 ? records : other;
          if (i % 3 === 0) return (await heldSignups.claim(signup.requestId, NOON)) !== null;
          return (await heldSignups.tryCode(attempt(signup.requestId, 'right'))).kind === 'claimed';
        }),
      );
      t.is(claims.filter(Boolean).length, 1);
    },
  );

  contract('the fifth wrong code locks for good, whatever comes after', async (t, records, open) => {
    const signup = signupWith();
    await decided(records, signup.requestId);
    await records.heldSignups.hold(signup, bounds);
    const other = await open(() => NOON);
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
    t.is(await records.heldSignups.claim(signup.requestId, NOON), null);
    t.is(await outcomeOf(records, signup.requestId), 'locked');
    t.false(await records.heldSignups.takePass('jane', NOON));
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
      t.truthy(await records.heldSignups.claim(signup.requestId, later));
    },
  );

  contract('an expired signup cannot be claimed by anything', async (t, records) => {
    const signup = signupWith({ codeExpiresAt: NOON + 2 * TTL_MS });
    await records.heldSignups.hold(signup, bounds);
    const after = NOON + TTL_MS;
    t.deepEqual(await records.heldSignups.tryCode(attempt(signup.requestId, 'right', after)), {
      kind: 'closed',
    });
    t.is(await records.heldSignups.claim(signup.requestId, after), null);
    t.is(
      (await records.heldSignups.renewMail(renewal(signup.requestId, { now: after }), budgets)).kind,
      'closed',
    );
  });

  contract('a signup whose app was never reached can be claimed again', async (t, records) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    t.truthy(await records.heldSignups.claim(signup.requestId, NOON));
    await records.heldSignups.release(signup.requestId);
    t.is((await records.heldSignups.tryCode(attempt(signup.requestId, 'right'))).kind, 'claimed');
    await records.heldSignups.finish(signup.requestId);
    await records.heldSignups.release(signup.requestId);
    t.is(await records.heldSignups.claim(signup.requestId, NOON), null);
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
      ...{ kind: 'renewed', signup: { sealed: signup.sealed } },
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

  contract('of two requests for a new mail at once, one is sent', async (t, records, open) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    const other = await open(() => NOON);
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

  contract('a mailbox that verified passes once, whoever asks first', async (t, records, open) => {
    const signup = signupWith();
    await records.heldSignups.hold(signup, bounds);
    t.false(await records.heldSignups.takePass('jane', NOON));
    await records.heldSignups.claim(signup.requestId, NOON);
    await records.heldSignups.finish(signup.requestId);
    t.false(await records.heldSignups.takePass('jane', NOON + 1));
    t.false(await records.heldSignups.takePass('joe', NOON));
    const other = await open(() => NOON);
    const passes = await Promise.all(
      [records, other, records, other].map(({ heldSignups }) => heldSignups.takePass('jane', NOON)),
    );
    t.is(passes.filter(Boolean).length, 1);
  });

  contract(
    'what is past its time is swept: the waiting expire, the verified keep their pass',
    async (t, records) => {
      const [waiting, verified, lost] = [signupWith(), signupWith(), signupWith()];
      for (const { requestId } of [waiting, verified, lost]) await decided(records, requestId);
      for (const signup of [waiting, verified, lost]) await records.heldSignups.hold(signup, bounds);
      const verifiedAt = NOON + TTL_MS - 1;
      await records.heldSignups.claim(verified.requestId, verifiedAt);
      await records.heldSignups.finish(verified.requestId);
      await records.heldSignups.claim(lost.requestId, NOON);
      const sweepAt = (now: number) => records.heldSignups.sweep({ now, passesSince: now - TTL_MS });

      t.is(await sweepAt(NOON + TTL_MS - 1), 0);
      t.is((await records.heldSignups.find(waiting.pageTokenSha256, NOON))?.state, 'waiting');
      t.is(await sweepAt(NOON + TTL_MS), 1);
      t.is(await records.heldSignups.find(waiting.pageTokenSha256, NOON), null);
      t.is(await outcomeOf(records, waiting.requestId), 'expired');
      t.is(await outcomeOf(records, verified.requestId), 'verified');
      t.is((await records.heldSignups.find(lost.pageTokenSha256, NOON))?.state, 'done');
      await sweepAt(verifiedAt + TTL_MS);
      t.is(await records.heldSignups.find(lost.pageTokenSha256, NOON), null);
      t.true(await records.heldSignups.takePass('jane', verifiedAt));
      await sweepAt(verifiedAt + TTL_MS + 1);
      t.is(await records.heldSignups.find(verified.pageTokenSha256, NOON), null);
    },
  );

  contract('many that expire at once are all swept', async (t, records) => {
    for (let i = 0; i < 250; i++) {
      const budgetKeys = { mailbox: `m${i}`, origin: `o${i}` };
      await records.heldSignups.hold(signupWith({ budgetKeys }), bounds);
    }
    t.is(await records.heldSignups.sweep({ now: NOON + TTL_MS, passesSince: NOON }), 250);
    t.is(await records.heldSignups.sweep({ now: NOON + TTL_MS, passesSince: NOON }), 0);
  });

  contract('erasing a mailbox removes what is held for it', async (t, records) => {
    const [janes, joes] = [signupWith(), signupWith({ mailbox: 'joe' })];
    for (const signup of [janes, joes]) await records.heldSignups.hold(signup, bounds);
    await records.decisions.erase({ mailboxHash: 'jane', spellingHash: 'jane' });
    t.is(await records.heldSignups.find(janes.pageTokenSha256, NOON), null);
    t.truthy(await records.heldSignups.find(joes.pageTokenSha256, NOON));
  });
}
