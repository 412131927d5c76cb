import type { NewHeldSignup } from '../../src/storage/held-signups/held-signup-store.ts';
import { NOON } from './decisions/decision-fixture.ts';
import type { PrepareStorage } from './prepare-storage.ts';
import { AT_ONCE, type Race, racesOf } from './race.ts';

const HOUR_MS = 3_600_000;
const UNBOUNDED = { mailbox: 1e9, origin: 1e9, site: 1e9 };
const ROOM = { maxHeld: 1e9, maxHeldBytes: 1e12, budgets: UNBOUNDED };
const RENEWAL = {
  ...{ now: NOON + 61_000, codeHash: 'new', codeExpiresAt: NOON + HOUR_MS, maxMails: 3, waitMs: 60_000 },
};

/** What is checked and then written about held signups, their mails and their room, by two nodes at once. */
export function testHeldSignupRaces(engine: string, prepare: PrepareStorage, rounds: number): void {
  const race = racesOf(engine, prepare, rounds);

  race('no budget lets a mail more through', async ({ t, records, atOnce }, round) => {
    for (const [of, keysOf] of [
      ['mailbox', (i: number) => ({ mailbox: round, origin: `${round} ${i}` })],
      ['origin', (i: number) => ({ mailbox: `${round} ${i}`, origin: round })],
    ] as const) {
      const limits = { ...UNBOUNDED, [of]: 5 };
      const outcomes = await atOnce(async ({ heldSignups, accountTokens }, i) => {
        const keys = keysOf(i);
        if (i % 3 === 0) return accountTokens.countMail({ keys, budgets: limits });
        const signup = signupOf(`${of} ${round} ${i}`, keys);
        return (await heldSignups.hold(signup, { ...ROOM, budgets: limits })).held;
      });
      t.is(outcomes.filter(({ value }) => value === true).length, 5, of);
    }
    const { renewed, tooSoon } = await renewals({ records, atOnce }, round);
    t.deepEqual({ renewed, tooSoon }, { renewed: 1, tooSoon: AT_ONCE - 1 });
  });

  race('a signup is renewed or confirmed', async ({ t, records, atOnce }, round) => {
    const idOf = (i: number) => `${round} ${i >> 1}`;
    for (let i = 0; i < AT_ONCE; i += 2)
      await records.heldSignups.hold(signupOf(idOf(i), { mailbox: idOf(i), origin: idOf(i) }), ROOM);
    const outcomes = await atOnce(async ({ heldSignups }, i) => {
      if (i % 2 === 0)
        return (await heldSignups.renewMail({ requestId: idOf(i), ...RENEWAL }, UNBOUNDED)).kind;
      const claimed = await heldSignups.claim({ requestId: idOf(i), now: NOON, passTokenSha256: null });
      return claimed ? 'claimed' : 'not claimed';
    });
    const kinds = new Set(outcomes.map(({ value }) => value));
    t.false(kinds.has('too-soon'), 'a signup that is confirmed meanwhile asks for no patience');
    t.false(kinds.has('not claimed'));
    await records.heldSignups.deleteExpired({ now: NOON + 2 * HOUR_MS, passesSince: NOON });
  });

  race('a signup that is confirmed when it expires keeps its pass', async ({ t, records, atOnce }, round) => {
    const idOf = (i: number) => `${round} expiring ${i}`;
    for (let i = 0; i < AT_ONCE; i++)
      await records.heldSignups.hold(signupOf(idOf(i), { mailbox: idOf(i), origin: idOf(i) }), ROOM);
    const [expiresAt, since] = [NOON + HOUR_MS, NOON];
    const confirmed = await atOnce(async ({ heldSignups }, i) => {
      if (i % 5 === 0) await heldSignups.deleteExpired({ now: expiresAt, passesSince: since });
      const confirmation = { requestId: idOf(i), now: expiresAt - 1, passTokenSha256: null };
      return (await heldSignups.claim(confirmation)) ? idOf(i) : null;
    });
    const pass = { network: '', userAgent: '', tokens: [], since };
    const lost: string[] = [];
    for (const { value: mailbox } of confirmed) {
      if (mailbox && !(await records.heldSignups.takePass({ mailbox, ...pass }))) lost.push(mailbox);
    }
    t.deepEqual(lost, []);
  });

  race('the room for held signups is not exceeded', async ({ t, atOnce, records }, round) => {
    const outcomes = await atOnce(({ heldSignups }, i) =>
      heldSignups.hold(
        {
          ...signupOf(`${round} ${i}`, { mailbox: `${round} ${i}`, origin: `${round} ${i}` }),
          network: `n${i}`,
        },
        { maxHeld: 7, maxHeldBytes: 1e9, budgets: UNBOUNDED },
      ),
    );
    t.is(outcomes.filter(({ value }) => value?.held).length, 7);
    await records.heldSignups.deleteExpired({ now: NOON + 2 * HOUR_MS, passesSince: NOON });
  });
}

async function renewals({ records, atOnce }: Pick<Race, 'records' | 'atOnce'>, round: string) {
  const requestId = `renewed ${round}`;
  await records.heldSignups.hold(signupOf(requestId, { mailbox: requestId, origin: requestId }), ROOM);
  const outcomes = await atOnce(({ heldSignups }) =>
    heldSignups.renewMail({ requestId, ...RENEWAL }, UNBOUNDED),
  );
  const count = (kind: string) => outcomes.filter(({ value }) => value?.kind === kind).length;
  return { renewed: count('renewed'), tooSoon: count('too-soon') };
}

function signupOf(requestId: string, budgetKeys: NewHeldSignup['budgetKeys']): NewHeldSignup {
  return {
    ...{ requestId, pageTokenSha256: `page ${requestId}`, linkTokenSha256: `link ${requestId}` },
    ...{ mailbox: budgetKeys.mailbox, budgetKeys, domain: 'example.com' },
    ...{ createdAt: NOON, expiresAt: NOON + HOUR_MS, codeHash: 'right', codeExpiresAt: NOON + HOUR_MS },
    ...{
      network: budgetKeys.origin,
      passNetwork: '',
      userAgent: '',
      keyId: 'k1',
      size: 4,
      seal: () => 'c2Vh',
    },
    sender: { browser: null, system: null, country: null },
  };
}
