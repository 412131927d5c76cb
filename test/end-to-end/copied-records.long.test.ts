import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { createApiKey, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { hashSecretFingerprint } from '../../src/secrets/check-hash-secret.ts';
import { copyRecords, isEqual } from '../../src/storage/copy/copy-records.ts';
import type { DecisionRecord } from '../../src/storage/decisions/decision-record.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { startBusyDashboard } from '../dashboard/busy-dashboard.ts';
import { type DashboardServer, startDashboard } from '../dashboard/dashboard-server.ts';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { aggregateAll } from '../storage/rollups/rollup-fixture.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`pages of a copy: ${MISSING_POSTGRES}`, () => {});

const DECISIONS = IS_FULL_PROOF ? 200_000 : 10_000;
const BATCH = 2_000;
const DAYS = 29;
const DAY_MS = 86_400_000;
const SECRET = 'a secret that both servers of the test have';
const ASKED_DECISIONS = 20;
const MAX_TRIES = 5;
const MAX_PAGES = 400;
const MAX_FOUND = 300;
/** What only PostgreSQL has: the nodes in the health strip, their section, and warnings about the clock of the test. */
const NODES =
  /<li><a href="\/routes#nodes".*?<\/li>|<section id="nodes">.*?<\/section><\/section>|<div class="notice warning"[^>]*><p>The clock of .*?<\/div>/gs;

const PAGES = [
  ...['/overview', '/overview?within=1d', '/overview?within=30d', '/overview?route=web'],
  ...['/decisions', '/decisions?level=high', '/decisions?level=high&within=1d', '/decisions?route=web'],
  ...['/decisions?domain=nothing.example', '/decisions?domain=d7.example', '/decisions?label=fraud'],
  ...['/decisions/rows', '/campaigns', '/lists', '/lists/export.csv', '/lists/export.txt'],
  ...['/audit', '/audit/export.csv', '/accounts', '/simulator', '/keys', '/usage', '/account', '/nowhere'],
];

testPostgres('every page and every call of the API answers on a copy as on its source', async (t) => {
  t.timeout(IS_FULL_PROOF ? 3_600_000 : 900_000);
  // Stands still while two servers are compared. One on PostgreSQL uses it while it agrees with the database.
  let now = Date.now();
  const clock = () => now;
  const from = `sqlite:${temporaryFolder(t)}/gatekeeper.db`;
  const { direct: to } = await postgresDatabase(t, { isEmpty: true });
  const start = (records: string) =>
    startDashboard(t, {
      clock,
      config: (config) => ({
        ...config,
        storage: { ...config.storage, records },
        privacy: { ...config.privacy, hash_secret: SECRET },
      }),
    });

  const filled = await startBusyDashboard(t, {
    clock,
    config: (config) => ({
      ...config,
      storage: { ...config.storage, records: from },
      privacy: { ...config.privacy, hash_secret: SECRET },
    }),
  });
  const { operator, member, records } = filled;
  const key = createApiKey({ test: false });
  await records.apiKeys.create({
    ...{ accountId: member.accountId, name: 'second', sha256: sha256OfKey(key), lastFour: key.slice(-4) },
    ...{ test: false, expiresAt: null },
  });
  const idempotent = { email: 'once@example.com', ip_address: '2.125.160.216' };
  const scored = await score(filled, key, idempotent, 'the same');
  const decisions = await fill(records, now);
  await aggregateAll(records);
  // Not counted by the overview yet when the server stops.
  await records.decisions.record(decisionOf(DECISIONS + 1, now));
  for (const [path, fields] of [
    ['/lists', { entries: 'bad.example\nworse.example', note: 'from a test', list: 'deny' }],
    [`/decisions/${decisions[0]}/label`, { label: 'fraud' }],
    [`/accounts/${member.accountId}/plan`, { plan: 'pro' }],
    ['/keys', { name: 'third', kind: 'live' }],
  ] as const)
    t.true((await operator.post(path, fields)).status < 400, path);
  await filled.gatekeeper.stop();
  await records.close();

  const startedAt = performance.now();
  const copied = await copyRecords({
    ...{ from, to, clock, hashSecret: hashSecretFingerprint(SECRET) },
    ...{ onProgress() {}, onReplaced() {} },
  });
  for (const table of copied.tables) {
    t.true(isEqual(table), JSON.stringify(table));
    t.log(`${table.name} ${table.source.rows} ${table.source.hash}`);
  }
  t.false(copied.wasWritten);
  t.log(`copied and compared in ${Math.round((performance.now() - startedAt) / 1_000)} s`);

  const [source, target] = [await start(from), await start(to)];
  await Promise.all([aggregateAll(source.records), aggregateAll(target.records)]);
  const step = Math.floor(decisions.length / ASKED_DECISIONS);
  const asked = decisions.filter((_, i) => i % step === 0);
  const paths = [...PAGES, ...asked.map((id) => `/decisions/${id}`), `/accounts/${member.accountId}`];
  /** Reads the same from both. On a busy machine, the time of the database may go on in between: then again. */
  const fromBoth = async <Read>(read: (server: DashboardServer) => Promise<Read>) => {
    for (let tries = 1; ; tries++) {
      now = Date.now();
      const [one, other] = await Promise.all([read(source), read(target)]);
      if (tries === MAX_TRIES || isDeepStrictEqual(one, other)) return [one, other] as const;
    }
  };
  for (const [who, cookie] of [
    ['an operator', operator.cookie],
    ['a member', member.cookie],
    ['a stranger', ''],
  ] as const) {
    for (const path of paths) {
      const [one, other] = await fromBoth((server) => page(server, path, cookie));
      t.true(one.status < 500, path);
      const isPartial = [one, other].some((shown) => shown.body.join('').includes('Search further back'));
      if (!isPartial) {
        t.deepEqual(other, one, `${path} for ${who}`);
        continue;
      }
      // How far one page searches depends on the time that it takes: compare what all pages find.
      const [found, foundToo] = await fromBoth((server) => search(server, path, cookie));
      t.deepEqual(foundToo, found, `${path} for ${who}`);
    }
    const [high, highToo] = await fromBoth((server) => search(server, '/decisions?level=high', cookie));
    t.deepEqual(highToo, high);
    if (who === 'an operator') t.is(high.length, MAX_FOUND);
  }
  for (const path of ['/usage', '/openapi.json', `/decisions/${scored.request_id}`, '/decisions/none']) {
    const [one, other] = await fromBoth((server) => call(server, path, key));
    t.deepEqual(other, one, path);
  }
  for (const server of [source, target])
    t.deepEqual(await score(server, key, idempotent, 'the same'), scored, 'the answer is stored');
  const fresh = { email: 'promo.user1100@gmail.com', ip_address: '138.68.20.3' };
  const [one, other] = await Promise.all([source, target].map((server) => score(server, key, fresh, 'new')));
  t.deepEqual({ ...other, request_id: '' }, { ...one, request_id: '' }, 'velocity is that of the source');
});

/** Of the last days; each sender comes once, but for some who repeat. Returns some of their request ids. */
async function fill(records: Storage, now: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let first = 0; first < DECISIONS; first += BATCH) {
    const made = Array.from({ length: BATCH }, (_, i) => decisionOf(first + i, now));
    ids.push(...(await Promise.all(made.map((decision) => records.decisions.record(decision)))));
  }
  return ids;
}

function decisionOf(n: number, now: number): DecisionRecord {
  const { identity } = decisionWith();
  const level = (['low', 'low', 'medium', 'high'] as const)[n % 4] ?? 'low';
  const sender = n % 50 === 0 ? 0 : n;
  return decisionWith({
    ...{ door: 'gate', route: n % 3 === 0 ? 'web' : 'mobile', mode: n % 7 === 0 ? 'monitor' : 'enforce' },
    ...{ riskLevel: level, trustScore: 100 - (n % 100), action: level === 'high' ? 'block' : 'forward' },
    ...{ processedAt: now - Math.floor(((n * 7_919) % DECISIONS) * ((DAYS * DAY_MS) / DECISIONS)) },
    ...{ elapsedMs: (n % 60) / 10, degraded: n % 97 === 0 },
    identity: {
      ...identity,
      ...{ mailbox: `mailbox ${sender}`, spelling: `spelling ${sender}`, ip: `ip ${sender}` },
      ...{ domain: `d${n % 900}.example`, network: `203.0.${n % 250}.0/24`, template: `t${n % 4_000}` },
    },
  });
}

/** In pieces, so that a difference can be read. Without what each server and each answer has of its own. */
async function page({ url, gatekeeper }: DashboardServer, path: string, cookie: string) {
  const response = await fetch(url + path, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
  const body = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location')?.replace(url, ''),
    body: (response.status === 200 ? body : withoutIds(body))
      .replaceAll(new URL(url).host, 'HOST')
      .replaceAll(new URL(gatekeeper.apiUrl).host, 'API')
      .replace(/name="csrf" value="[^"]*"/g, '')
      .replace(/nonce="[^"]*"/g, '')
      .replace(NODES, '')
      .split(/(?=<)/),
  };
}

/** The decisions that a search finds, newest first, over all of its pages. */
async function search(server: DashboardServer, path: string, cookie: string): Promise<readonly string[]> {
  const found: string[] = [];
  let next: string | undefined = path;
  for (let pages = 0; pages < MAX_PAGES && next !== undefined && found.length < MAX_FOUND; pages++) {
    const body: string = (await page(server, next, cookie)).body.join('');
    for (const [, id = ''] of body.matchAll(/href="\/decisions\/([0-9a-f-]{36})"/g))
      if (!found.includes(id)) found.push(id);
    next = /href="(\/decisions\?[^"]*after=[^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  return found.slice(0, MAX_FOUND);
}

async function call({ gatekeeper }: DashboardServer, path: string, key: string) {
  const response = await fetch(gatekeeper.apiUrl + path, { headers: { 'x-api-key': key } });
  const body = (await response.text()).replaceAll(new URL(gatekeeper.apiUrl).host, 'API');
  return { status: response.status, body: response.status === 200 ? body : withoutIds(body) };
}

/** An error names its own request. */
function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
}

async function score(
  { gatekeeper }: DashboardServer,
  key: string,
  signup: object,
  idempotencyKey: string,
): Promise<{ readonly request_id: string }> {
  const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(signup),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { readonly request_id: string };
}
