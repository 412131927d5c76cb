import test from 'ava';
import { referenceOf } from '../../../src/http/reference.ts';
import { startDashboard } from '../dashboard-server.ts';
import { ofAccount, storeDecisions, withIdentity } from './stored-decisions.ts';

/** The request ids that a page links to, in order. */
const listed = (body: string) =>
  [...body.matchAll(/href="\/decisions\/([\da-f-]{36})"/g)].map(([, requestId]) => requestId);

test('the decisions need a session', async (t) => {
  const server = await startDashboard(t);
  const [decision] = await storeDecisions(server, [{}]);
  for (const path of ['', '/rows', '/export.csv', '/export.ndjson', `/${decision?.requestId}`]) {
    const { status, headers } = await server.stranger().get(`/decisions${path}`);
    t.is(status, 303, path);
    t.regex(headers.get('location') ?? '', /^\/sign-in/);
  }
});

test('the empty page of decisions says what to do', async (t) => {
  const server = await startDashboard(t);
  const { body } = await (await server.signIn('operator')).get('/decisions');
  t.regex(body, /No signups yet/);
  t.true(body.includes(`curl -s ${server.gatekeeper.apiUrl}/score-signup`));
});

test('an operator sees every decision, newest first, and pages through them', async (t) => {
  const server = await startDashboard(t);
  const made = await storeDecisions(
    server,
    Array.from({ length: 120 }, (_, n) => (n % 2 ? ofAccount('other') : {})),
  );
  const operator = await server.signIn('operator');
  const seen: (string | undefined)[] = [];
  let path: string | undefined = '/decisions';
  while (path !== undefined) {
    const { status, body } = await operator.get(path);
    t.is(status, 200);
    seen.push(...listed(body));
    path = /<a href="([^"]*)" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  t.deepEqual(seen, made.map(({ requestId }) => requestId).toReversed());
});

test('a member sees only decisions of its own account', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const [own, other, gate] = await storeDecisions(server, [
    ofAccount(member.accountId),
    ofAccount('other'),
    {},
  ]);
  for (const query of ['', '?account=other', '?key=key+of+other', `?id=${other?.requestId}`, '?door=gate']) {
    const ids = listed((await member.get(`/decisions${query}`)).body);
    t.false(ids.includes(other?.requestId) || ids.includes(gate?.requestId), query);
  }
  t.deepEqual(listed((await member.get('/decisions')).body), [own?.requestId]);
  t.deepEqual(listed((await member.get('/decisions/rows')).body), [own?.requestId]);
  const csv = (await member.get('/decisions/export.csv?account=other')).body;
  t.true(csv.includes(own?.requestId ?? ''));
  t.false(csv.includes(other?.requestId ?? ''));
  t.is((await member.get(`/decisions/${own?.requestId}`)).status, 200);
  for (const hidden of [other, gate]) {
    t.is((await member.get(`/decisions/${hidden?.requestId}`)).status, 404);
    t.is((await member.post(`/decisions/${hidden?.requestId}/label`, { label: 'fraud' })).status, 404);
    t.is((await server.records.decisionSearch.find(hidden?.requestId ?? '', null))?.label, null);
  }
  t.is((await member.post(`/decisions/${own?.requestId}/list`, { what: 'deny network' })).status, 404);
  t.is(await server.records.listEntries.count(), 0);
});

const CONDITIONS: readonly (readonly [query: string, fits: number])[] = [
  ['domain=shop.example', 1],
  ['domain=mail.shop.example', 1],
  ['domain=shop.example&domain=b%C3%BCro.example', 2],
  ['network=198.51.100.7', 1],
  ['network=198.51.100.0/24', 1],
  ['level=high&level=medium', 1],
  ['wanted_action=block', 1],
  ['route=web', 3],
  ['code=subaddressed_email', 3],
  ['code=tor_ip', 0],
  ['within=hour', 3],
  ['to=2020-01-01', 0],
  ['from=2020-01-01T00:00', 3],
  ['label=any', 0],
  ['tests=yes', 4],
  ['passed=yes', 2],
];

test('each filter in the URL limits the list to matching decisions', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(server, [
    withIdentity({ domain: 'shop.example' }),
    withIdentity({ domain: 'xn--bro-hoa.example', network: '198.51.100.0/24' }),
    { riskLevel: 'high', trustScore: 10, action: 'block' },
    { test: true },
  ]);
  const operator = await server.signIn('operator');
  for (const [query, fits] of CONDITIONS) {
    const { status, body } = await operator.get(`/decisions?${query}`);
    t.is(status, 200, query);
    t.is(listed(body).length, fits, query);
    if (fits === 0) t.regex(body, /No decision found/, query);
  }
});

const UNREADABLE = [
  'level=lowest',
  'code=no_such_code',
  'domain=not a domain',
  'network=10.0.0.0/8',
  'network=<script>alert(1)</script>',
  'id=1',
  'from=yesterday',
  'mailbox=someone@example.com',
  `route=${'x'.repeat(301)}`,
];

test('an invalid filter shows no decisions instead of too many', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(server, [{}]);
  const operator = await server.signIn('operator');
  for (const query of UNREADABLE) {
    const { status, body } = await operator.get(`/decisions?${encodeURI(query)}`);
    t.is(status, 400, query);
    t.deepEqual(listed(body), [], query);
    t.regex(body, /is not valid/, query);
    t.false(body.includes('<script>alert'), query);
    t.is((await operator.get(`/decisions/export.csv?${encodeURI(query)}`)).status, 400, query);
  }
  t.is((await operator.get('/decisions?after=nonsense')).status, 400);
});

test('a script gets the rows of the newest page', async (t) => {
  const server = await startDashboard(t);
  const made = await storeDecisions(server, [{}, { riskLevel: 'high' }, {}]);
  const operator = await server.signIn('operator');
  const rows = await operator.get('/decisions/rows?level=high');
  t.regex(rows.body, /^<tr>/);
  t.deepEqual(listed(rows.body), [made[1]?.requestId]);
});

test('repeats of one sender share one row with their count and last time', async (t) => {
  const server = await startDashboard(t);
  const refused = { door: 'gate', route: 'web', mode: 'enforce', action: 'block' } as const;
  const made = await storeDecisions(
    server,
    Array.from({ length: 1_234 }, () => refused),
  );
  const operator = await server.signIn('operator');
  const { body } = await operator.get('/decisions');
  t.is(listed(body).length, 3);
  t.regex(body, /× 1,232, last <time [^>]*data-brief[^>]*>\d\d:\d\d<\/time>/);
  const page = (await operator.get(`/decisions/${made[2]?.requestId}`)).body;
  t.regex(page, /Repeated<\/dt><dd>× 1,232, last/);
});

test('the search finds every decision of a reference, as people write it down, and the decision shows it', async (t) => {
  const server = await startDashboard(t);
  const at = Date.now() - 30_000;
  const [one, two] = await storeDecisions(server, [
    { processedAt: at, ...withIdentity({ mailbox: 'a' }) },
    { processedAt: at, ...withIdentity({ mailbox: 'b' }) },
    { processedAt: at + 1 },
    { processedAt: at - 1 },
  ]);
  const operator = await server.signIn('operator');
  const page = (await operator.get(`/decisions/${one?.requestId}`)).body;
  const [, reference = ''] = /<dt>Reference<\/dt>\s*<dd><code>(\w{8})<\/code>/.exec(page) ?? [];
  t.is(referenceOf(one?.requestId ?? ''), reference);
  const spoken = `${reference.slice(0, 4)}-${reference.slice(4)}`.toLowerCase();
  for (const text of [reference, spoken, ` ${reference} `]) {
    const { body } = await operator.get(`/decisions?id=${encodeURIComponent(text)}`);
    t.deepEqual(listed(body).toSorted(), [one, two].map((each) => each?.requestId).toSorted(), text);
  }
  const together = await operator.get(`/decisions?id=${reference}&within=hour&level=high`);
  t.deepEqual(listed(together.body), []);
});

test('a member finds by a reference only decisions of its own account', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  const [gate] = await storeDecisions(server, [{}]);
  const { status, body } = await member.get(`/decisions?id=${referenceOf(gate?.requestId ?? '')}`);
  t.is(status, 200);
  t.deepEqual(listed(body), []);
});

test('a text that is neither a request id nor a reference is refused', async (t) => {
  const server = await startDashboard(t);
  const { body } = await (await server.signIn('operator')).get('/decisions?id=UUUUUUUU');
  t.regex(body, /Request id or reference: “UUUUUUUU” is not valid/);
});
