import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { NewAccountToken } from '../../../src/storage/accounts/account-token-store.ts';
import type { NewSession } from '../../../src/storage/accounts/session-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
export const HOUR_MS = 3_600_000;

export const jane = { email: 'jane@example.com', role: 'member', plan: 'hobby' } as const;

export function tokenWith(changes: Partial<NewAccountToken> = {}): NewAccountToken {
  return {
    ...{ id: 'token', kind: 'registration', accountId: null, email: jane.email, lifetimeMs: HOUR_MS },
    ...changes,
  };
}

export function sessionOf(accountId: string, id: string): NewSession {
  return { id, accountId, browser: 'Firefox on Linux', network: '203.0.113.0/24' };
}

/** Declares tests of one engine. `prepare` gives each test a separate database. */
export function contractOf(engine: string, prepare: PrepareStorage) {
  return (title: string, run: (t: ExecutionContext, records: Storage, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => {
      const open = await prepare(t);
      await run(t, await open(() => NOON), open);
    });
}
