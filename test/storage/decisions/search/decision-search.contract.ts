import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import fc from 'fast-check';
import { FACTORS } from '../../../../src/assessment/reasons.ts';
import type { StoredDecision, SummedDecisions } from '../../../../src/storage/decisions/decision-record.ts';
import {
  ANY_DECISION,
  type DecisionFilter,
} from '../../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';

const test = anyTest as TestFn;
const LEVELS = ['low', 'medium', 'high'] as const;
const ACTIONS = [null, 'forward', 'verify', 'block'] as const;
const DOMAINS = ['one.example', 'two.example', null];
const CODES = ['tor_ip', 'vpn_ip'] as const;

/** How many decisions have the same parts that a score is computed from. */
async function countScored<Decision extends Omit<SummedDecisions, 'count'>>(
  chunks: AsyncIterable<readonly Decision[]>,
  countOf: (decision: Decision) => number,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for await (const chunk of chunks) {
    for (const decision of chunk) {
      const { examinations, lists, route, riskLevel, outcome, label } = decision;
      const scored = FACTORS.map((factor) => {
        const { classification, base, findings = [] } = examinations[factor] ?? {};
        const parts = findings.map(({ code, strength, shared, decisive }) => [
          code,
          strength,
          shared,
          decisive,
        ]);
        return [classification, base, parts];
      });
      const codes = lists.map(({ verdict, code }) => [verdict, code]);
      const key = JSON.stringify([scored, codes, route, riskLevel, outcome, label]);
      counts[key] = (counts[key] ?? 0) + countOf(decision);
    }
  }
  return counts;
}

/** A hundred and some decisions in which every filter has something to find and something to leave out. */
async function fill(records: Storage): Promise<[Storage, readonly StoredDecision[]]> {
  const made = Array.from({ length: 120 }, (_, n) => {
    const action = ACTIONS[n % 4] ?? null;
    const { identity } = decisionWith();
    return decisionWith({
      // Several in one millisecond, so that the order within it matters.
      processedAt: NOON + Math.floor(n / 7),
      accountId: action === null ? `account-${n % 3}` : null,
      keyId: action === null ? `key-${n % 5}` : null,
      door: action === null ? 'api' : 'gate',
      route: action === null ? null : `route-${n % 2}`,
      action,
      mode: action === null ? null : n % 8 === 1 ? 'monitor' : 'enforce',
      riskLevel: LEVELS[n % 3] ?? 'low',
      test: n % 11 === 0,
      identity: {
        ...identity,
        domain: DOMAINS[n % 3] ?? null,
        ip: `ip-${n}`,
        mailbox: `mailbox-${n % 9}`,
        network: `203.0.${n % 4}.0/24`,
        template: n % 6 === 0 ? 'template' : null,
        userAgent: `agent-${n % 2}`,
      },
      examinations: {
        ...decisionWith().examinations,
        ip_address: {
          classification: 'business_ip',
          evidence: null,
          findings: n % 5 < 2 ? [{ code: CODES[n % 2] ?? 'tor_ip', evidence: null }] : [],
          incomplete: null,
        },
      },
    });
  });
  for (const decision of made) await records.decisions.record(decision);
  const stored: StoredDecision[] = [];
  for (const [n, decision] of made.entries()) {
    const label = n % 10 === 0 ? 'fraud' : n % 10 === 1 ? 'legitimate' : null;
    if (label) await records.decisionSearch.label(decision.requestId, null, label);
    stored.unshift({ ...decision, outcome: null, label, repeats: 0, lastSeenAt: null });
  }
  return [records, stored];
}

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

/** The meaning of the filter, written a second time. */
function isMeant(filter: DecisionFilter, decision: StoredDecision): boolean {
  const { identity, examinations } = decision;
  const oneOf = <T>(wanted: readonly T[], value: T | null) =>
    wanted.length === 0 || (value !== null && wanted.includes(value));
  const same = (wanted: string | null, value: string | null) => wanted === null || wanted === value;
  const codes = Object.values(examinations).flatMap((e) =>
    e ? [e.classification, ...e.findings.map(({ code }) => code)] : [],
  );
  return (
    same(filter.accountId, decision.accountId) &&
    same(filter.requestId, decision.requestId) &&
    (filter.madeAt === null || filter.madeAt === decision.processedAt) &&
    same(filter.network, identity.network) &&
    same(filter.mailbox, identity.mailbox) &&
    same(filter.template, identity.template) &&
    same(filter.userAgent, identity.userAgent) &&
    oneOf(filter.levels, decision.riskLevel) &&
    oneOf(filter.wantedActions, decision.wantedAction) &&
    oneOf(filter.doors, decision.door) &&
    oneOf(filter.routes, decision.route) &&
    oneOf(filter.keyIds, decision.keyId) &&
    oneOf(filter.domains, identity.domain) &&
    (filter.codes.length === 0 || filter.codes.some((code) => codes.includes(code as never))) &&
    (filter.from === null || decision.processedAt >= filter.from) &&
    (filter.to === null || decision.processedAt < filter.to) &&
    (filter.label === null ||
      (filter.label === 'any' ? decision.label !== null : decision.label === filter.label)) &&
    (!filter.passed ||
      decision.wantedAction === 'forward' ||
      decision.mode === 'monitor' ||
      (decision.action === null && decision.riskLevel === 'low')) &&
    (filter.includesTests || !decision.test)
  );
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

/** Pages and scans of decisions, as every engine gives them. */
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

  contract('a scan gives every match whole, newest first', async (t) => {
    const [records, stored] = await fill(await open(t));
    const scanned: StoredDecision[] = [];
    for await (const chunk of records.decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
      scanned.push(...chunk);
    }
    t.deepEqual(scanned, stored);
  });

  contract('a scan for a replay has a part of the columns, in the same order', async (t) => {
    const [records, stored] = await fill(await open(t));
    const { decisionSearch } = records;
    const wholeOf = new Map(stored.map((decision) => [decision.requestId, decision]));
    const filter = { ...ANY_DECISION, doors: ['gate'] as const };
    const scanned: string[] = [];
    for await (const chunk of decisionSearch.scanReplayable(filter)) {
      for (const part of chunk) {
        t.like(wholeOf.get(part.requestId), part);
        scanned.push(part.requestId);
      }
    }
    t.deepEqual(
      scanned,
      stored.filter((decision) => isMeant(filter, decision)).map(({ requestId }) => requestId),
    );
  });

  contract('decisions summed up by the database score as each of them', async (t) => {
    const [records] = await fill(await open(t));
    const { decisionSearch } = records;
    const odd = decisionWith({ processedAt: NOON - 60_000, route: 'route-0', door: 'gate' });
    const { email } = odd.examinations;
    await records.decisions.record({
      ...odd,
      examinations: {
        email: email && {
          ...email,
          base: 12,
          findings: [
            { code: 'role_email', evidence: 'a “quote” \u0000 and \ud800', strength: 0.25, shared: true },
            { code: 'disposable_email', evidence: null, decisive: true, fields: { domain: 'a.example' } },
          ],
        },
        ...{ ip_address: null, velocity: null, user_agent: null },
      },
      lists: [{ verdict: 'denied', code: 'denylisted_email', evidence: 'the mailbox' }],
    });
    for (const filter of [
      ANY_DECISION,
      { ...ANY_DECISION, includesTests: true, from: NOON - 3_600_000, to: NOON + 9 },
      { ...ANY_DECISION, routes: ['route-0'] },
      { ...ANY_DECISION, accountId: 'account-1' },
      { ...ANY_DECISION, routes: ['nothing'] },
    ]) {
      const alone = await countScored(decisionSearch.scanReplayable(filter), () => 1);
      t.deepEqual(await countScored(decisionSearch.scanSummed(filter), ({ count }) => count), alone);
      const sampled = async function* () {
        yield await decisionSearch.sample(filter);
      };
      t.deepEqual(
        await countScored(sampled(), ({ count }) => count),
        alone,
        'a sample of few is all of them',
      );
    }
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
