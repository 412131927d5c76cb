import { request } from 'node:http';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from './stored-decisions.ts';

const FORMULAS = ['=cmd|/C calc', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '"=1', 'a,"b"\r\nc'];

test('the export has no formula for a spreadsheet, and other programs read the original text', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(
    server,
    FORMULAS.map((userAgent) => ({ plain: { email: 'a@example.com', ip: '198.51.100.7', userAgent } })),
  );
  const { status, headers, body } = await (await server.signIn('operator')).get('/decisions/export.csv');
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="gatekeeper-decisions-[\d-]{10}\.csv"$/,
  );
  const rows = parse(body, { columns: true }) as { user_agent: string }[];
  t.deepEqual(rows.map(({ user_agent }) => user_agent.replace(/^'/, '')).sort(), FORMULAS.toSorted());
  for (const { user_agent } of rows) t.notRegex(user_agent, /^[=+\-@\t\r＝]/);
});

test('NDJSON has one line per decision, with its evidence', async (t) => {
  const server = await startDashboard(t);
  const made = await storeDecisions(server, [withIdentity({ domain: 'one.example' }), {}]);
  const { body, headers } = await (await server.signIn('operator')).get(
    '/decisions/export.ndjson?domain=one.example',
  );
  t.is(headers.get('content-type'), 'application/x-ndjson');
  const lines = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.is(lines.length, 1);
  t.like(lines[0], {
    ...{ request_id: made[0]?.requestId, trust_score: 91, domain: 'one.example', label: null },
    examinations: { email: { classification: 'corporate_email' } },
  });
  t.true(lines[0].reasons.includes('subaddressed_email'));
});

test('an export without decisions is an empty file', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  t.regex((await operator.get('/decisions/export.csv')).body, /^processed_at,request_id,[\w,]+\r\n$/);
  t.is((await operator.get('/decisions/export.ndjson')).body, '');
});

test('a large export is complete, with each decision once', async (t) => {
  const server = await startDashboard(t);
  const made = await storeDecisions(server, Array(3_000).fill({}));
  const { body } = await (await server.signIn('operator')).get('/decisions/export.csv');
  const rows = parse(body, { columns: true }) as { request_id: string }[];
  t.deepEqual(
    rows.map(({ request_id }) => request_id),
    made.map(({ requestId }) => requestId).toReversed(),
  );
});

test('a stalled export blocks no other request, and an aborted export logs no error', async (t) => {
  const server = await startDashboard(t);
  await storeDecisions(
    server,
    Array(3_500).fill({ plain: { email: null, ip: '', userAgent: 'x'.repeat(4_000) } }),
  );
  const operator = await server.signIn('operator');
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(`${server.url}/decisions/export.ndjson`, { headers: { cookie: operator.cookie } }, resolve)
      .on('error', reject)
      .end();
  });
  // 14 MB exceed the buffers of sockets and streams.
  await new Promise((resolve) => answer.once('readable', resolve));
  const { status } = await operator.get('/decisions');
  t.is(status, 200);
  answer.destroy();
  t.is((await operator.get('/decisions')).status, 200);
  t.deepEqual(
    server.log.filter((line) => line.includes('"level":"error"')),
    [],
  );
});

test('the audit log has each export with its user', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await operator.get('/decisions/export.csv?level=high');
  const [entry] = await server.records.audit.page({ before: null, limit: 1 });
  t.like(entry, {
    act: 'decision.exported',
    actorId: operator.accountId,
    detail: { conditions: 'level=high' },
  });
});
