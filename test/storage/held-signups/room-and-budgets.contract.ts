import { NOON } from '../decisions/decision-fixture.ts';
import type { PrepareStorage } from '../prepare-storage.ts';
import {
  bounds,
  budgets,
  claimOf,
  contractOf,
  fromAddress,
  sealedOf,
  signupWith,
} from './held-signup-fixture.ts';

/** The contract of every engine for the room of held signups and the budgets of their mails. */
export function testRoomAndBudgets(engine: string, prepare: PrepareStorage, writers: 1 | 2 = 1): void {
  const { contract, contended } = contractOf(engine, prepare, writers);

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
}
