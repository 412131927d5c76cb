import test from 'ava';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import type { HoldBounds, NewHeldSignup } from '../../../src/storage/held-signups/held-signup-store.ts';
import { examination } from '../../helpers/examinations.ts';
import { aggregateAll } from '../../storage/rollups/rollup-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
import { decided, figureOf, tableOf, textOf } from './read-overview.ts';

const HOUR = 3_600_000;

const BOUNDS: HoldBounds = {
  ...{ maxHeld: 10, maxHeldBytes: 1_000_000 },
  budgets: { mailbox: 5, origin: 20, site: 1_000 },
};

function heldSignup(requestId: string): NewHeldSignup {
  const createdAt = Date.now();
  const expiresAt = createdAt + HOUR;
  return {
    ...{ requestId, pageTokenSha256: `page ${requestId}`, linkTokenSha256: `link ${requestId}` },
    ...{ mailbox: 'jane', budgetKeys: { mailbox: 'jane', origin: 'home' }, domain: 'example.com' },
    ...{ createdAt, expiresAt, codeHash: '', codeExpiresAt: expiresAt },
    ...{ network: '203.0.113.0/24', passNetwork: '203.0.113.0/24', userAgent: 'firefox' },
    sender: { browser: 'Firefox', system: 'Windows', country: 'DE' },
    ...{ keyId: 'k1', size: 8, seal: () => 'c2VhbGVk' },
  };
}

async function record({ records }: DashboardServer, decisions: readonly DecisionRecord[]): Promise<void> {
  for (const decision of decisions) await records.decisions.record(decision);
  await aggregateAll(records);
}

test('the empty overview says what to do next', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  const { status, body } = await operator.get('/overview');
  t.is(status, 200);
  t.true(textOf(body).includes('No signups in this time'));
  t.true(body.includes('/score-signup'));
  t.true(body.includes('jane.doe@gmail.com'), 'a signup at low risk, and not at a reserved domain');
  t.true(body.includes('<a href="/keys">a key</a>'));
  t.true(textOf((await operator.get('/overview?range=90d')).body).includes('No signups yet'));
});

test('the overview needs a session', async (t) => {
  const dashboard = await startDashboard(t);
  const { status, headers } = await dashboard.stranger().get('/overview');
  t.deepEqual([status, headers.get('location')], [303, '/sign-in?next=%2Foverview']);
});

test('an operator sees the actions of the gate, their outcomes, and the dry run of enforce mode', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  const held = decided({ action: 'verify', riskLevel: 'medium' });
  await record(dashboard, [
    ...Array.from({ length: 6 }, () => decided({ elapsedMs: 0.05 })),
    decided({ action: 'block', riskLevel: 'high', degraded: true }),
    held,
    decided({ action: 'verify', riskLevel: 'medium' }),
    decided({ mode: 'monitor', route: 'watched', action: 'block', riskLevel: 'high' }),
    decided({ processedAt: Date.now() - 40 * 24 * HOUR }),
    decided({ door: 'api', route: null, mode: null, action: null, accountId: 'shop', test: true }),
  ]);
  const { body } = await operator.get('/overview?range=7d');
  t.is(figureOf(body, 'Judged signups'), '10');
  t.is(figureOf(body, 'High risk'), '20 %');
  t.is(figureOf(body, 'Degraded'), '10 %');
  t.is(figureOf(body, 'Let in at once'), '6 (66.7 %)');
  t.is(figureOf(body, 'Refused'), '1 (11.1 %)');
  t.is(figureOf(body, 'Waiting or unknown'), '2 (22.2 %)');
  t.is(figureOf(body, 'Sent to verification, confirmed'), 'no cases yet');
  t.regex(figureOf(body, 'Judging time, p50'), /µs$/);
  t.true(textOf(body).includes('let in all 1 signups'));
  t.true(textOf(body).includes('does not count answers to test keys: 1 in this time'));
  const levels = tableOf(body, 'Signups by risk level over time');
  t.is(levels.length, 28);
  t.deepEqual(
    [1, 2, 3].map((column) => levels.reduce((sum, row) => sum + Number(row[column]), 0)),
    [6, 2, 2],
  );
  const actions = tableOf(body, 'What the gate did over time');
  t.deepEqual(
    [1, 2, 3, 4].map((column) => actions.reduce((sum, row) => sum + Number(row[column]), 0)),
    [6, 2, 1, 1],
  );
  t.is(figureOf((await operator.get('/overview?range=90d')).body, 'Judged signups'), '11');
  t.is(figureOf((await operator.get('/overview?range=7d&route=watched')).body, 'Judged signups'), '1');
});

test('a signup that the staff let in is in one line of the outcomes', async (t) => {
  const dashboard = await startDashboard(t);
  const held = decided({ action: 'verify', riskLevel: 'medium' });
  const kept = decided({ action: 'block', riskLevel: 'high' });
  const refused = decided({ action: 'block', riskLevel: 'high' });
  await record(dashboard, [held, kept, refused]);
  const { heldSignups, reviews } = dashboard.records;
  for (const { requestId } of [held, kept]) {
    await heldSignups.hold(heldSignup(requestId), BOUNDS);
    await reviews.claimForReview({ requestId, actorId: 'support', now: Date.now() });
  }
  const { body } = await (await dashboard.signIn('operator')).get('/overview');
  t.is(figureOf(body, 'Let in by the staff'), '2 (66.7 %)');
  t.is(figureOf(body, 'Waiting or unknown'), '0 (0 %)');
  t.is(figureOf(body, 'Refused'), '1 (33.3 %)');
});

test('findings and labelled mistakes are counted per reason', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  const examinations = {
    email: examination('corporate_email'),
    ip_address: examination('residential_ip', 'tor_ip'),
    velocity: examination('normal_velocity'),
    user_agent: examination('standard_browser'),
  };
  const wrong = decided({ action: 'block', riskLevel: 'high', examinations, accountId: 'shop' });
  await record(dashboard, [wrong, decided({ examinations }), decided({})]);
  await dashboard.records.decisions.label(wrong.requestId, 'shop', 'legitimate');
  const { body } = await operator.get('/overview');
  t.is(figureOf(body, 'Refused, labelled legitimate'), '1 of 1: 100 % (20.7 to 100 %)');
  const [tor] = tableOf(body, 'Most frequent findings');
  t.deepEqual([tor?.[0], ...(tor?.slice(2) ?? [])], ['A Tor exit tor_ip', '2', '66.7 %', '50 %']);
  t.deepEqual(
    tableOf(body, 'Mistakes by reason').find(([reason]) => reason === 'A Tor exit tor_ip'),
    ['A Tor exit tor_ip', '1', '1', '0', '100 %'],
  );
  t.true(
    tableOf(body, 'How many signups had each kind of mailbox, network and browser').some(
      ([reason]) => reason === 'A home network residential_ip',
    ),
  );
});

test('a member sees only figures of its own account, and no facts about the site', async (t) => {
  const dashboard = await startDashboard(t);
  const member = await dashboard.signIn('member');
  const api = { door: 'api', route: null, mode: null, action: null } as const;
  await record(dashboard, [
    decided({ ...api, accountId: member.accountId }),
    decided({ ...api, accountId: member.accountId, riskLevel: 'high' }),
    ...Array.from({ length: 5 }, () => decided({ ...api, accountId: 'other' })),
    ...Array.from({ length: 7 }, () => decided({})),
  ]);
  for (const address of ['/overview', '/overview?account=other', '/overview?account=*', '/overview?route=']) {
    const { body } = await member.get(address);
    t.is(figureOf(body, 'Judged signups'), '2', address);
    t.false(body.includes('Data sets'));
    t.false(body.includes('Route of the gate'));
  }
  t.true(textOf((await member.get('/overview?route=web')).body).includes('No signups in this time'));
});

test('every data set is shown with its age and revision', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  const rows = tableOf((await operator.get('/routes')).body, 'Data sets');
  t.true(rows.length >= 10);
  for (const [name, , date, age, entries, revision] of rows) {
    t.regex(date ?? '', /^\d{4}-\d{2}-\d{2}$/, name);
    t.regex(age ?? '', /^\d+ days?$/, name);
    t.regex(entries ?? '', /^[\d,]+$/, name);
    t.regex(revision ?? '', /^[\da-f]{12}$/, name);
  }
});

test('a signup is counted within seconds, and each figure is linked to its definition for screen readers', async (t) => {
  const dashboard = await startDashboard(t);
  const operator = await dashboard.signIn('operator');
  await dashboard.records.decisions.record(decided({}));
  const deadline = Date.now() + 30_000;
  let body = '';
  while (figureOf(body, 'Judged signups') !== '1' && Date.now() < deadline) {
    ({ body } = await operator.get('/overview'));
  }
  t.is(figureOf(body, 'Judged signups'), '1');
  const described = [...body.matchAll(/aria-describedby="([^"]+)"/g)].map(([, id]) => id);
  t.true(described.length >= 6);
  t.is(new Set(described).size, described.length);
  for (const id of described) t.true(body.includes(`role="tooltip" id="${id}"`), id);
});
