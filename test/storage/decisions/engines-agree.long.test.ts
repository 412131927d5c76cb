import anyTest, { type TestFn } from 'ava';
import fc from 'fast-check';
import type { Account } from '../../../src/storage/accounts/account-store.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { StorageBusyError } from '../../../src/storage/storage-error.ts';
import { IS_FULL_PROOF } from '../../helpers/full-proof.ts';
import { BOTH, forPostgres } from '../prepare-postgres.ts';
import { prepareSqlite } from '../prepare-storage.ts';
import { ALL, aggregateAll } from '../rollups/rollup-fixture.ts';
import { answerOf, decisionWith, entryOf, NOON } from './decision-fixture.ts';

const test = anyTest as TestFn;
const MINUTE_MS = 60_000;

/** What arrives in one tick of the event loop. */
interface Request {
  readonly account: number | null;
  readonly limit: number | null;
  readonly idempotencyKey: string | null;
  readonly test: boolean;
  readonly mailbox: string;
  readonly ip: string;
  readonly action: 'forward' | 'block';
}

type Step =
  | { readonly requests: readonly Request[] }
  | { readonly erase: string }
  | { readonly label: number };

const request = fc.record<Request>({
  account: fc.constantFrom(null, null, 0, 1),
  limit: fc.constantFrom(null, 3, 3, 8),
  idempotencyKey: fc.constantFrom(null, null, 'k1', 'k2'),
  test: fc.constantFrom(false, false, false, true),
  mailbox: fc.constantFrom('m1', 'm2', 'm3'),
  ip: fc.constantFrom('i1', 'i1', 'i2'),
  action: fc.constantFrom('forward', 'block', 'block'),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ requests: fc.array(request, { minLength: 1, maxLength: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom('m1', 'm2', 'm3') }) },
  { weight: 1, arbitrary: fc.record({ label: fc.nat() }) },
);

/** The decisions of a history are made once, so that both engines get the same. */
function decisionsOf(steps: readonly Step[]): readonly (readonly DecisionRecord[])[] {
  return steps.map((one, n) => {
    if (!('requests' in one)) return [];
    return one.requests.map(({ account, test: isTest, mailbox, ip, action }) => {
      const identity = { ...decisionWith().identity, mailbox, spelling: mailbox, ip };
      const processedAt = NOON + n * MINUTE_MS;
      return account === null
        ? decisionWith({ ...{ identity, processedAt, door: 'gate', route: 'web' }, action, mode: 'enforce' })
        : decisionWith({ identity, processedAt, test: isTest });
    });
  });
}

/** Everything that the engine answers, and everything that it then holds. */
async function live(
  storage: Storage,
  steps: readonly Step[],
  made: readonly (readonly DecisionRecord[])[],
): Promise<unknown> {
  const accounts = [
    await storage.accounts.create({ name: 'a', plan: 'pro' }),
    await storage.accounts.create({ name: 'b', plan: 'pro' }),
  ];
  const answers: unknown[] = [];
  for (const [n, one] of steps.entries()) {
    if ('erase' in one) {
      // SQLite counts from the table what it has not counted yet: an erased decision is missing there.
      await aggregateAll(storage);
      answers.push(await storage.decisions.erase({ mailboxHash: one.erase, spellingHash: one.erase }));
    } else if ('label' in one) {
      const all = made.slice(0, n).flat();
      const { requestId } = all[one.label % Math.max(1, all.length)] ?? { requestId: 'none' };
      answers.push(await storage.decisionSearch.label(requestId, null, 'fraud'));
    } else {
      const sent = one.requests.map((each, i) => send(storage, each, { accounts, decision: made[n]?.[i] }));
      answers.push(await Promise.all(sent));
    }
  }
  const rows = [];
  for await (const found of storage.decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
    // An account's id is its engine's own.
    for (const { accountId, scope, ...row } of found) rows.push({ ...row, isOfApi: accountId !== null });
  }
  // A decision that repeats an erased row is new. PostgreSQL learns of it in the group, and writes the decision with the
  // next group, after the others of its tick: the only histories in which decisions of one millisecond change places.
  if (steps.some((one) => 'erase' in one))
    rows.sort((one, other) => (one.requestId < other.requestId ? -1 : 1));
  await aggregateAll(storage);
  const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  return {
    answers,
    rows,
    used: await Promise.all(accounts.map(async ({ id }) => (await storage.quotas.usage(id, NOON)).used)),
    counts: [...(await storage.rollups.decisions(ALL))].sort(byText),
    reasons: [...(await storage.rollups.reasons(ALL))].sort(byText),
    durations: await storage.rollups.durations(ALL),
  };
}

async function send(
  { ledger, decisions }: Storage,
  { account, limit, idempotencyKey }: Request,
  made: { readonly accounts: readonly Account[]; readonly decision: DecisionRecord | undefined },
): Promise<unknown> {
  if (!made.decision) throw new Error('a decision is missing');
  const of = account === null ? undefined : made.accounts[account];
  if (!of) return decisions.record(made.decision);
  const answer = idempotencyKey === null ? null : answerOf(idempotencyKey);
  const decision = { ...made.decision, accountId: of.id, scope: of.id };
  return ledger.commit({ ...entryOf(of), decision, limit, answer });
}

forPostgres(
  'random histories',
  (engine, prepare) => {
    test(`${engine}: any history of requests has the same answers and rows as on SQLite`, async (t) => {
      t.timeout(600_000);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
          const made = decisionsOf(steps);
          const sqlite = await (await prepareSqlite(t))(() => NOON);
          const postgres = await (await prepare(t))(() => NOON);
          // On a busy machine an answer may take longer than it is waited for: then the histories differ.
          const answers = await live(postgres, steps, made).catch((error: unknown) => {
            fc.pre(!(error instanceof StorageBusyError));
            throw error;
          });
          t.deepEqual(answers, await live(sqlite, steps, made));
          await postgres.close();
        }),
        // Made smaller, a failing history takes minutes.
        { numRuns: IS_FULL_PROOF ? 30 : 12, endOnFailure: true },
      );
    });
  },
  BOTH,
);
