import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import fc from 'fast-check';
import type { StoredDecision } from '../../../../src/storage/decisions/decision-record.ts';
import {
  ANY_DECISION,
  type DecisionFilter,
} from '../../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { NOON } from '../decision-fixture.ts';
import { fill, isMeant, LEVELS } from './searched-decisions.ts';

const test = anyTest as TestFn;

async function allPages(
  records: Storage,
  filter: DecisionFilter,
  limit: number,
): Promise<readonly StoredDecision[]> {
  const all: StoredDecision[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await records.decisionSearch.page(filter, cursor, limit);
    if (!page) throw new Error('a cursor of its own was refused');
    all.push(...page.decisions);
    if (!page.next) return all;
    cursor = page.next;
  }
}

const orNull = <T>(...values: readonly T[]) => fc.constantFrom(null, null, ...values);
const some = <T>(...values: readonly T[]) =>
  fc.oneof(fc.constant([]), fc.uniqueArray(fc.constantFrom(...values)));
const filters = fc.record<DecisionFilter>({
  accountId: orNull('account-0', 'account-1', 'account-9'),
  from: orNull(NOON + 3, NOON + 9),
  to: orNull(NOON + 8, NOON + 12),
  requestId: fc.constant(null),
  madeAt: orNull(NOON + 4, NOON + 9),
  levels: some(...LEVELS),
  wantedActions: some('forward', 'verify', 'block'),
  doors: some('api', 'gate'),
  routes: some('route-0', 'route-1'),
  keyIds: some('key-0', 'key-1', 'key-2'),
  codes: some('tor_ip', 'vpn_ip', 'business_ip', 'proxy_ip'),
  domains: some('one.example', 'two.example'),
  network: orNull('203.0.1.0/24'),
  mailbox: orNull('mailbox-1', 'mailbox-2'),
  template: orNull('template'),
  userAgent: orNull('agent-0'),
  style: fc.constant(null),
  outcome: fc.constant(null),
  label: orNull('any', 'fraud', 'legitimate'),
  passed: fc.boolean(),
  includesTests: fc.boolean(),
});

/** Pages of decisions, and single ones, as every engine finds them. */
export function testDecisionSearch(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test(`${engine}: ${title}`, run);
  const open = async (t: ExecutionContext) => (await prepare(t))(() => NOON);

  contract('all pages together match the filter, newest first, each decision once', async (t) => {
    const [records, stored] = await fill(await open(t));
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), async (filter, limit) => {
        t.deepEqual(
          (await allPages(records, filter, limit)).map(({ requestId }) => requestId),
          stored.filter((decision) => isMeant(filter, decision)).map(({ requestId }) => requestId),
        );
      }),
      { numRuns: 40 },
    );
  });

  contract('a decision is found by its request id, and with an account only by that account', async (t) => {
    const [records, stored] = await fill(await open(t));
    const { decisionSearch } = records;
    const own = stored.find(({ accountId }) => accountId === 'account-1');
    if (!own) throw new Error('the account has none');
    for (const accountId of [null, 'account-1']) {
      t.deepEqual(await decisionSearch.find(own.requestId, accountId), own);
      const page = await decisionSearch.page(
        { ...ANY_DECISION, accountId, requestId: own.requestId },
        null,
        10,
      );
      t.deepEqual(page?.decisions, [own]);
    }
    t.is(await decisionSearch.find(own.requestId, 'account-2'), null);
    t.is(await decisionSearch.find('nothing', null), null);
    t.false(await decisionSearch.label(own.requestId, 'account-2', 'fraud'));
    t.true(await decisionSearch.label(own.requestId, 'account-1', 'fraud'));
    t.is((await decisionSearch.find(own.requestId, null))?.label, 'fraud');
    t.true(await decisionSearch.label(own.requestId, null, null));
    t.is((await decisionSearch.find(own.requestId, null))?.label, null);
  });

  contract('decisions are found by the beginning of their request id, an account by its own', async (t) => {
    const [records, stored] = await fill(await open(t));
    const { decisionSearch } = records;
    const latestFirst = stored.toSorted((a, b) => (a.requestId < b.requestId ? 1 : -1));
    const found = async (text: string, accountId: string | null = null, limit = 500) =>
      (await decisionSearch.beginning(text, { accountId, limit })).map(({ requestId }) => requestId);
    for (const { requestId } of stored.slice(0, 5)) {
      for (const length of [8, 9, 13, 20, 36]) {
        const text = requestId.slice(0, length);
        const meant = latestFirst.filter((decision) => decision.requestId.startsWith(text));
        t.deepEqual(
          await found(text),
          meant.map((decision) => decision.requestId),
          text,
        );
      }
    }
    const [first] = latestFirst;
    const beginning = first?.requestId.slice(0, 8) ?? '';
    t.deepEqual(
      await found(beginning, null, 3),
      latestFirst.slice(0, 3).map(({ requestId }) => requestId),
    );
    t.deepEqual(
      await found(beginning, 'account-1'),
      latestFirst.filter(({ accountId }) => accountId === 'account-1').map(({ requestId }) => requestId),
    );
    t.deepEqual(await decisionSearch.beginning(first?.requestId ?? '', { accountId: null, limit: 1 }), [
      first,
    ]);
    for (const nothing of ['00000000', 'ffffffff-ffff', 'gggggggg']) t.deepEqual(await found(nothing), []);
  });

  for (const cursor of [
    '',
    '0',
    '.',
    'a.',
    'a.b.c',
    'A.B',
    '-1.1',
    `${'z'.repeat(11)}.1`,
    "1.1' OR 1=1",
    '1.1\n',
  ]) {
    contract(`the cursor ${JSON.stringify(cursor)} is refused`, async (t) => {
      const records = await open(t);
      t.is(await records.decisionSearch.page(ANY_DECISION, cursor, 10), null);
    });
  }
}
