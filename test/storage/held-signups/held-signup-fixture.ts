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
export const MINUTE_MS = 60_000;
export const TTL_MS = 30 * MINUTE_MS;

export const budgets: MailBudgets = { mailbox: 5, origin: 20, site: 1_000 };
export const bounds: HoldBounds = { maxHeld: 10_000, maxHeldBytes: 1_000_000, budgets };
export const SEALED = 'c2VhbGVk';
let count = 0;

export const sealedOf = (length: number) => ({ size: length, seal: () => 'x'.repeat(length) });

/** A signup as the gate holds it, with the fields of the test. */
export function signupWith(changes: Partial<NewHeldSignup> = {}): NewHeldSignup {
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

export const fromAddress = (address: string, network: string, length: number) =>
  signupWith({ budgetKeys: { mailbox: `m${count}`, origin: address }, network, ...sealedOf(length) });

export const outcomeOf = async ({ decisions }: Storage, requestId: string) =>
  (await decisions.find(requestId, 'shop'))?.outcome;
export const decided = async ({ decisions }: Storage, requestId: string) =>
  decisions.record(decisionWith({ requestId, accountId: 'shop' }));
export const attempt = (requestId: string, codeHash: string, now = NOON) => ({
  ...{ requestId, codeHash, now, maxTries: 5, passTokenSha256: null },
});
export const claimOf = (requestId: string, now = NOON, passTokenSha256: string | null = null) => ({
  ...{ requestId, now, passTokenSha256 },
});
/** What `claimOf` and `attempt` store. */
export const markOf = (requestId: string, verifiedAt: number | null = NOON) => ({
  ...{ requestId, verifiedAt, tokenSha256: null },
});
/** The sender accepts the suggested address. */
export const correctionOf = (requestId: string, now = NOON) => ({
  ...{ requestId, now, was: 'waiting' as const, tokenSha256: 'of a correction' },
});
export const correctionMarkOf = (requestId: string) => ({
  ...{ requestId, verifiedAt: null, tokenSha256: 'of a correction' },
});
export const pass = (changes: Partial<PassRequest> = {}): PassRequest => ({
  ...{ mailbox: 'jane', network: '203.0.113.0/24', userAgent: 'firefox', tokens: [], since: NOON },
  ...changes,
});
export const renewal = (requestId: string, changes: { now?: number; codeHash?: string } = {}) => ({
  ...{ requestId, maxMails: 3, waitMs: MINUTE_MS, codeHash: 'newer', now: NOON + MINUTE_MS },
  ...{ codeExpiresAt: NOON + 20 * MINUTE_MS },
  ...changes,
});

/**
 * Declares tests of one engine. `prepare` gives each test a separate database. With two writers only concurrent calls are
 * tested: they wait for each other's lock, which takes seconds.
 */
export function contractOf(engine: string, prepare: PrepareStorage, writers: 1 | 2 = 1) {
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
  return { contract, contended };
}
