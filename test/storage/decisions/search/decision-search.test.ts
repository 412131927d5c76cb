import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { Kysely, SqliteDialect } from 'kysely';
import type { StoredDecision } from '../../../../src/storage/decisions/decision-record.ts';
import {
  ANY_DECISION,
  type DecisionFilter,
  matches,
} from '../../../../src/storage/decisions/search/decision-filter.ts';
import { openSqlite } from '../../../../src/storage/engine/open-sqlite.ts';
import { openStorage } from '../../../../src/storage/open-storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import type { StorageSchema } from '../../../../src/storage/storage-schema.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';

const LEVELS = ['low', 'medium', 'high'] as const;
const ACTIONS = [null, 'forward', 'verify', 'block'] as const;
const DOMAINS = ['one.example', 'two.example', null];
const CODES = ['tor_ip', 'vpn_ip'] as const;

async function open(t: ExecutionContext): Promise<[Storage, string]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-search-'));
  const file = join(folder, 'x.db');
  const records = await openStorage({ url: `sqlite:${file}`, clock: () => NOON });
  t.teardown(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  return [records, file];
}

/** A hundred and some decisions in which every filter has something to find and something to leave out. */
async function openFilled(t: ExecutionContext): Promise<[Storage, readonly StoredDecision[]]> {
  const [records] = await open(t);
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
  outcome: fc.constant(null),
  label: orNull('any', 'fraud', 'legitimate'),
  passed: fc.boolean(),
  includesTests: fc.boolean(),
});

test('all pages together match the filter, newest first, each decision once', async (t) => {
  const [records, stored] = await openFilled(t);
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

test('a scan gives every match whole, newest first', async (t) => {
  const [records, stored] = await openFilled(t);
  const scanned: StoredDecision[] = [];
  for await (const chunk of records.decisionSearch.scan({ ...ANY_DECISION, includesTests: true })) {
    scanned.push(...chunk);
  }
  t.deepEqual(scanned, stored);
});

test('a scan for a replay has a part of the columns, in the same order', async (t) => {
  const [records, stored] = await openFilled(t);
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

test('a decision is found by its request id, and with an account only by that account', async (t) => {
  const [records, stored] = await openFilled(t);
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

test('every filter reads only the index, in its order', async (t) => {
  const [, file] = await open(t);
  const connection = openSqlite(file);
  const db = new Kysely<StorageSchema>({ dialect: new SqliteDialect({ database: connection }) });
  t.teardown(() => db.destroy());
  const everything: DecisionFilter = {
    ...{
      accountId: null,
      from: null,
      to: null,
      requestId: null,
      levels: ['low', 'high'],
      wantedActions: ['block'],
    },
    ...{ doors: ['api'], routes: ['r'], keyIds: ['k'], codes: ['tor_ip', 'vpn_ip'], domains: ['d', 'e'] },
    ...{ network: 'n', mailbox: 'm', template: 't', userAgent: 'u', outcome: null, label: null },
    ...{ passed: true, includesTests: false },
  };
  const { sql: text, parameters } = db
    .selectFrom('decisions')
    .select(['processed_at', 'id'])
    .where('processed_at', '<', NOON)
    .where((where) => matches(where, everything))
    .orderBy('processed_at', 'desc')
    .orderBy('id', 'desc')
    .compile();
  const plan = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(parameters) as { detail: string }[];
  t.deepEqual(
    plan.map(({ detail }) => detail),
    ['SEARCH decisions USING COVERING INDEX decisions_search (processed_at<?)'],
  );
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
  test(`the cursor ${JSON.stringify(cursor)} is refused`, async (t) => {
    const [records] = await open(t);
    t.is(await records.decisionSearch.page(ANY_DECISION, cursor, 10), null);
  });
}

test('a page without matches among very many decisions says how far it searched, and continues from there', async (t) => {
  const [records, file] = await open(t);
  await records.decisions.record(
    decisionWith({ processedAt: NOON - 1, riskLevel: 'high', accountId: 'small' }),
  );
  const connection = openSqlite(file);
  connection.exec(`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300000)
    INSERT INTO decisions (request_id, processed_at, door, test, scope, trust_score, risk_level, degraded, network,
      policy_revision, data_revision, identity, detail)
    SELECT 'r' || n, ${NOON} + n, 'api', 0, 's', 90, 'low', 0, 'n', 'p', 'd', '{}', '{}' FROM n`);
  connection.close();
  const filter: DecisionFilter = { ...ANY_DECISION, levels: ['high'] };
  let cursor: string | null = null;
  let pages = 0;
  for (;;) {
    const page = await records.decisionSearch.page(filter, cursor, 10);
    pages += 1;
    if (page?.decisions.length === 1) {
      t.is(page.searchedBackTo, null);
      t.is(page.next, null);
      break;
    }
    t.deepEqual(page?.decisions, []);
    t.true((page?.searchedBackTo ?? 0) > NOON);
    cursor = page?.next ?? null;
    t.not(cursor, null);
  }
  t.true(pages >= 2);
  // However few decisions an account has, they are found at once.
  const own = await records.decisionSearch.page({ ...ANY_DECISION, accountId: 'small' }, null, 10);
  t.like(own, { next: null, searchedBackTo: null, decisions: { length: 1 } });
});
