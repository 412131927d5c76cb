import test from 'ava';
import { parseMailbox } from '../../../src/addresses/email-address.ts';
import { createPseudonymizer, identifyMailbox } from '../../../src/assessment/identity.ts';
import { createRequestId } from '../../../src/http/request-id.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

const SECRET = 'a secret for the hashes of these tests';
const DAY_MS = 86_400_000;

const start = (t: Parameters<typeof startDashboard>[0]) =>
  startDashboard(t, {
    config: (config) => ({ ...config, privacy: { ...config.privacy, hash_secret: SECRET } }),
  });

/** Of now, or so long ago. */
async function record({ records }: DashboardServer, changes: Partial<DecisionRecord>, agoMs = 0) {
  const processedAt = Date.now() - agoMs;
  const decision = decisionWith({
    ...{ requestId: createRequestId(processedAt), processedAt, examinations: examinations() },
    ...{ trustScore: 92, riskLevel: 'low', ...changes },
  });
  await records.decisions.record(decision);
  return decision;
}

const FORM = {
  ...{
    'weights-email': '40',
    'weights-ip_address': '30',
    'weights-velocity': '20',
    'weights-user_agent': '10',
  },
  ...{
    'levels-low': '70',
    'levels-medium': '40',
    points: '',
    allow: '',
    deny: '',
    days: '7',
    scope: '',
    account: '',
  },
  ...{ 'caps-one_high_factor': '69', 'caps-two_high_factors': '39', 'caps-decisive': '20' },
  decisive: 'disposable_email\nundeliverable_email\ninvalid_email',
};

const figure = (body: string, name: string) =>
  new RegExp(`${name}</button>.*?<strong>([\\d,]+)</strong>`, 's').exec(body)?.[1];

test('the form shows the current policy, and simulating it changes no level', async (t) => {
  const server = await start(t);
  await record(server, {});
  const operator = await server.signIn('operator');
  const { status, body } = await operator.get('/simulator');
  t.is(status, 200);
  t.regex(body, /name="levels-low"[^>]*value="70"/);
  const after = await operator.post('/simulator', FORM);
  t.is(after.status, 200);
  t.is(figure(after.body, 'Decisions'), '1');
  t.is(figure(after.body, 'Stricter'), '0');
  t.regex(after.body, /No signup would change its risk level/);
  t.regex(after.body, /The configuration needs no change/);
});

test('a stricter policy shows signups with another risk level and their outcomes', async (t) => {
  const server = await start(t);
  const vpn = examinations({ ip_address: examination('residential_ip', 'vpn_ip') });
  const moved = await record(server, { examinations: vpn, trustScore: 83 });
  await record(server, {});
  await record(server, { examinations: vpn, trustScore: 83, test: true });
  await server.records.decisionSearch.label(moved.requestId, null, 'legitimate');
  const operator = await server.signIn('operator');
  const { body } = await operator.post('/simulator', { ...FORM, points: 'vpn_ip: 85' });
  t.is(figure(body, 'Decisions'), '2');
  t.is(figure(body, 'Stricter'), '1');
  t.true(
    body.includes('Would hurt 0 → <span data-figure="legitimate-affected">1</span> of 1 legitimate person.'),
  );
  t.true(body.includes('No signup is known to be fraud. So the simulator cannot tell'));
  t.true(body.includes(`href="/decisions/${moved.requestId}"`));
  t.regex(
    body,
    /Stricter<\/th>(<td class="number"[^>]*>\d+<\/td>){4}<td class="number"[^>]*>1<\/td><td class="number"[^>]*>0</,
  );
  t.true(body.includes('scoring:\n  points:\n    vpn_ip: 85'));
});

test('an added entry finds a mailbox by its hash and a domain by its name', async (t) => {
  const server = await start(t);
  const mailbox = parseMailbox('Jane.Doe+x@gmail.com');
  if (!mailbox) return t.fail();
  const hashes = identifyMailbox(mailbox, createPseudonymizer(SECRET));
  const { identity } = decisionWith();
  await record(server, { identity: { ...identity, ...hashes, domain: 'gmail.com' } });
  await record(server, { identity: { ...identity, domain: 'acme.de' } });
  await record(server, { identity: { ...identity, domain: 'other.de' } });
  const operator = await server.signIn('operator');
  const { body } = await operator.post('/simulator', { ...FORM, deny: 'janedoe@gmail.com\nacme.de' });
  t.is(figure(body, 'Decisions'), '3');
  t.is(figure(body, 'Stricter'), '2');
});

test('days, door, route and account choose the simulated decisions', async (t) => {
  const server = await start(t);
  const account = await server.records.accounts.create({ name: 'shop', plan: 'pro' });
  await record(server, { door: 'gate', route: 'web' });
  await record(server, { door: 'gate', route: 'app' }, 3 * DAY_MS);
  await record(server, { door: 'api', accountId: account.id }, 10 * DAY_MS);
  const operator = await server.signIn('operator');
  for (const [changes, decisions] of [
    [{ days: '30' }, '3'],
    [{ days: '7' }, '2'],
    [{ days: '1' }, '1'],
    [{ days: '30', scope: 'gate' }, '2'],
    [{ days: '30', scope: 'route:app' }, '1'],
    [{ days: '30', account: 'shop' }, '1'],
  ] as const) {
    const { body } = await operator.post('/simulator', { ...FORM, ...changes });
    t.is(figure(body, 'Decisions'), decisions, JSON.stringify(changes));
  }
  const nothing = await operator.post('/simulator', { ...FORM, scope: 'api', days: '1' });
  t.regex(nothing.body, /No signups found/);
  t.is((await operator.post('/simulator', { ...FORM, account: 'unknown' })).status, 400);
});

test('an invalid value is shown again as text, with its error', async (t) => {
  const server = await start(t);
  const operator = await server.signIn('operator');
  const hostile = '</textarea><script>alert(1)</script>';
  const { status, body } = await operator.post('/simulator', {
    ...FORM,
    deny: hostile,
    'levels-low': '"><b>',
  });
  t.is(status, 400);
  t.false(body.includes('<script>alert'));
  t.false(body.includes('<b>'));
  t.regex(body, /aria-invalid/);
});

test('the simulator is for operators, and one runs at a time for each', async (t) => {
  const server = await start(t);
  await record(server, {});
  const [member, operator] = [await server.signIn('member'), await server.signIn('operator')];
  t.is((await member.get('/simulator')).status, 404);
  t.is((await member.post('/simulator', FORM)).status, 404);
  t.is((await server.stranger().get('/simulator')).status, 303);
  const statuses = (await Promise.all([1, 2, 3].map(() => operator.post('/simulator', FORM)))).map(
    (a) => a.status,
  );
  t.true(statuses.includes(200));
  t.deepEqual(
    [...new Set(statuses)].filter((status) => status !== 200 && status !== 429),
    [],
  );
  t.is((await operator.post('/simulator', FORM)).status, 200, 'and then the next');
});
