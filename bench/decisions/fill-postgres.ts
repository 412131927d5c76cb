/**
 * Fills a database of PostgreSQL with decisions of the past days, and prints how long its pages take: `tsx
 * bench/decisions/fill-postgres.ts postgres://… [COUNT] [DAYS]`. The database must be empty. Three million take some minutes
 * and 4 GB.
 */
import { fileURLToPath } from 'node:url';
import { ANY_DECISION } from '../../src/storage/decisions/search/decision-filter.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { connectPostgres } from '../../test/helpers/postgres-server.ts';

const DAY_MS = 86_400_000;
const RUNS = 5;

/** One day: a third of the API, the others of the gate; one in seven repeats a mailbox of the day before. */
const FILL_DAY = `
  INSERT INTO decisions (request_id, processed_at, door, account_id, key_id, test, scope, route, trust_score, risk_level,
    wanted_action, action, mode, degraded, mailbox, spelling, domain, network, template, user_agent, codes,
    policy_revision, data_revision, identity, detail)
  SELECT left(hex, 8) || '-' || right(hex, 4) || '-7' || substr(md5(at::text), 1, 3) || '-8' || substr(md5(k::text), 1, 3)
      || '-' || substr(md5(k || 'r'), 1, 12), at,
    CASE WHEN api THEN 'api' ELSE 'gate' END, CASE WHEN api THEN 'account ' || k % 50 END,
    CASE WHEN api THEN 'key ' || k % 50 END, 0, CASE WHEN api THEN 'account ' || k % 50 ELSE 'gate' END,
    CASE WHEN NOT api THEN 'web' END, k * 7 % 101, level,
    CASE WHEN NOT api THEN act END, CASE WHEN NOT api THEN act END, CASE WHEN NOT api THEN 'enforce' END, 0,
    md5('m' || k % 60000 || $1 % 7), md5('s' || k % 60000 || $1 % 7), 'domain' || k * 31 % 5000 || '.example',
    '203.' || k % 200 || '.' || k * 17 % 250 || '.0/24', CASE WHEN k % 4 = 0 THEN md5('t' || k % 900) END,
    md5('u' || k % 300),
    CASE WHEN k % 5000 = 9 THEN ' corporate_email disposable_mail_exchange tor_ip elevated_velocity automation_tool '
      WHEN level = 'low' THEN ' personal_email residential_ip normal_velocity standard_browser '
      WHEN level = 'medium' THEN ' corporate_email subaddressed_email datacenter_ip normal_velocity standard_browser '
      ELSE ' corporate_email disposable_email vpn_ip elevated_velocity headless_browser ' END,
    'policy', 'data', '{"ip":"' || md5('i' || k % 80000) || '","site":null}', $4
  FROM (SELECT k, at, lpad(to_hex(at), 12, '0') AS hex, k % 3 = 0 AS api,
      CASE WHEN k % 10 < 7 THEN 'low' WHEN k % 10 < 9 THEN 'medium' ELSE 'high' END AS level,
      CASE WHEN k % 10 < 7 THEN 'forward' WHEN k % 10 < 9 THEN 'verify' ELSE 'block' END AS act
    FROM generate_series(0, $3::bigint - 1) k, LATERAL (SELECT $2::bigint + k * (${DAY_MS} / $3::bigint) AS at) t) d`;

const COUNT_ALL = `
  INSERT INTO rollup_deltas SELECT processed_at / 3600000, account_id, door, coalesce(route, ''), coalesce(mode, ''),
    risk_level, coalesce(wanted_action, ''), degraded, test, codes, 13, count(*)
  FROM decisions GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`;

const examination = (classification: string, evidence: string | null) => ({
  classification,
  evidence,
  findings: [],
  incomplete: null,
});
const DETAIL = JSON.stringify({
  examinations: {
    email: examination('corporate_email', 'example.com'),
    ip_address: examination('residential_ip', 'AS64500 Example Networks, DE'),
    velocity: examination('normal_velocity', 'the first attempt of this address within a day'),
    user_agent: examination('standard_browser', 'Chrome 140 on Windows'),
  },
  lists: [],
  elapsedMs: 0.31,
  plain: null,
});

async function fill(url: string, { count, days }: { count: number; days: number }): Promise<void> {
  const client = await connectPostgres(url);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let ago = days; ago >= 1; ago--) {
    const first = today - ago * DAY_MS;
    const name = `decisions_${new Date(first).toISOString().slice(0, 10).replaceAll('-', '')}`;
    await client.query(
      `CREATE TABLE ${name} PARTITION OF decisions FOR VALUES FROM (${first}) TO (${first + DAY_MS})`,
    );
    await client.query(FILL_DAY, [ago, first, Math.ceil(count / days), DETAIL]);
  }
  await client.query(COUNT_ALL);
  await client.query('VACUUM ANALYZE decisions');
  await client.end();
}

/** The median and the slowest of a few calls, in milliseconds. */
async function time(name: string, call: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begunAt = performance.now();
    await call();
    took.push(performance.now() - begunAt);
  }
  took.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(36)} ${took[RUNS >> 1]?.toFixed(1).padStart(8)} ms, at most ${took.at(-1)?.toFixed(1)} ms`,
  );
}

async function timePages({ decisions, decisionSearch, rollups }: Storage, days: number): Promise<void> {
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const page = (filter: Partial<typeof ANY_DECISION>) =>
    decisionSearch.page({ ...ANY_DECISION, ...filter }, null, 50);
  const newest = (await page({}))?.decisions ?? [];
  const one = newest[20];
  if (!one) throw new Error('the database has no decisions');
  await time('newest page', () => page({}));
  await time('a page of ten days ago', () => page({ to: to - 10 * DAY_MS }));
  await time('a page of one level', () => page({ levels: ['high'] }));
  await time('a page of a rare code', () => page({ codes: ['tor_ip'] }));
  await time('a page of an absent code', () => page({ codes: ['proxy_ip'] }));
  await time('a page of an account', () => page({ accountId: 'account 3' }));
  await time('a page of a mailbox', () => page({ mailbox: one.identity.mailbox }));
  await time('one decision', () => decisionSearch.find(one.requestId, null));
  await time('attempts around a decision', () => decisionSearch.around(one));
  const query = { accountId: null, route: null, from: to - days * DAY_MS, to };
  await time('overview', () =>
    Promise.all([
      rollups.decisions({ ...query, periodHours: 24 }),
      rollups.reasons(query),
      rollups.durations(query),
      rollups.outcomes(query),
      rollups.mistakes(query),
      rollups.routes(query),
    ]),
  );
  for (const kind of ['template', 'domain', 'network', 'device', 'backend'] as const) {
    const within = { accountId: null, kind, from: to - 7 * DAY_MS, to };
    await time(`campaigns by ${kind}`, () => decisionSearch.campaigns(within));
  }
  const { mailbox, spelling } = one.identity;
  const begunAt = performance.now();
  const erased = await decisions.erase({ mailboxHash: mailbox ?? '', spellingHash: spelling ?? '' });
  console.log(`erasing a mailbox with ${erased} decisions: ${(performance.now() - begunAt).toFixed(1)} ms`);
}

const [, script, url, count = '3000000', days = '30'] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  if (url === undefined) {
    console.error('Usage: tsx bench/decisions/fill-postgres.ts postgres://… [COUNT] [DAYS]');
    process.exitCode = 1;
  } else {
    const storage = await openStorage({ url, clock: Date.now });
    await fill(url, { count: Number(count), days: Number(days) });
    while ((await storage.rollups.aggregate()).hasMore);
    await timePages(storage, Number(days));
    await storage.close();
  }
}
