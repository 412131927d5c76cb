import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { gatekeeper } from '../../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { type DashboardServer, startDashboard, type Visitor } from '../dashboard-server.ts';

const ROWS = [
  '2026-06-01T10:00:00Z;jane.doe@gmail.com;2.125.160.216;"Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0";no',
  '2026-06-01T10:01:00Z;x8k2q@mailinator.com;2.125.160.217;curl/8.5.0;yes',
  'not a row',
  '2026-06-01T10:02:00Z;"a quote that never closes;2.125.160.217;;',
  '2026-06-01T10:03:00Z;info@acme-consulting.de;2.125.160.218;;',
];
const CSV = `Joined;kontakt;ip;ua;is_fraud\n${ROWS.join('\n')}\n`;

async function upload(
  { url }: DashboardServer,
  { cookie }: Visitor,
  {
    content,
    csrf,
    origin = url,
  }: { readonly content: string; readonly csrf: string; readonly origin?: string },
) {
  const body = new FormData();
  body.set('csrf', csrf);
  body.set('file', new Blob([content]), 'export.csv');
  const answer = await fetch(`${url}/simulator/file`, {
    ...{ method: 'POST', body, redirect: 'manual' },
    headers: { cookie, accept: 'text/html', origin },
  });
  return { status: answer.status, body: await answer.text() };
}

const csrfOf = async (visitor: Visitor) =>
  /name="csrf" value="([^"]*)"/.exec((await visitor.get('/account')).body)?.[1] ?? '';
const tokenIn = (body: string) => /name="token" value="([^"]*)"/.exec(body)?.[1] ?? '';
const textOf = (html: string) => html.replace(/<[^>]*>/g, '').replaceAll('&#39;', "'");

test.serial(
  'a file is uploaded, its columns are corrected, and its verdict is that of the command',
  async (t) => {
    t.timeout(600_000);
    const server = await startDashboard(t);
    const operator = await server.signIn('operator');
    const uploaded = await upload(server, operator, { content: CSV, csrf: await csrfOf(operator) });
    t.is(uploaded.status, 200);
    t.true(uploaded.body.includes('j•••@gmail.com'));
    t.false(uploaded.body.includes('jane.doe'));
    t.regex(uploaded.body, /<option value="ip" selected/);
    const token = tokenIn(uploaded.body);
    const columns = { 'column-ip_address': 'ip', 'column-user_agent': 'ua', 'column-label': 'is_fraud' };
    const incomplete = await operator.post('/simulator/file/run', { token, ...columns });
    t.is(incomplete.status, 400);
    t.regex(incomplete.body, /Choose the column that has it/);
    const whole = { token, ...columns, 'column-time': 'Joined', 'column-email': 'kontakt' };
    const { status, body } = await operator.post('/simulator/file/run', whole);
    t.is(status, 200);

    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'signups.csv'), CSV);
    const command = ['simulate', 'signups.csv', '--columns', 'time=Joined,email=kontakt'];
    const { stdout } = await gatekeeper(folder, ...command);
    const [verdict = '', detail = '', range = ''] = stdout.split('\n');
    t.regex(verdict, /^Stops 1 of 1 known fraud; would hurt 0 of 1 legitimate person\.$/);
    for (const sentence of [verdict, detail, range]) t.true(textOf(body).includes(sentence), sentence);
    const { levels } = JSON.parse((await gatekeeper(folder, ...command, '--json')).stdout);
    t.true(textOf(body).includes(`${levels.low} low, ${levels.medium} medium, ${levels.high} high.`));
    t.regex(textOf(body), /2 of 5 rows cannot be read.*Line 5: a quote is never closed\./s);

    const twice = await operator.post('/simulator/file/run', { ...whole, 'column-email': 'ip' });
    t.regex(twice.body, /Two fields cannot have the same column/);
    const without = await operator.post('/simulator/file/run', { ...whole, 'column-label': '' });
    t.regex(without.body, /No verdict: no outcome is known/);
    const stranger = await server.signIn('operator', 'other@example.com');
    const others = await stranger.post('/simulator/file/run', whole);
    t.is(others.status, 400);
    t.regex(others.body, /uploaded file was deleted/);
    t.false(server.log.join('\n').includes('jane.doe'));
  },
);

test.serial('an upload needs an operator, the token of the form and its own site', async (t) => {
  t.timeout(300_000);
  const server = await startDashboard(t);
  const [operator, member, support] = [
    await server.signIn('operator'),
    await server.signIn('member'),
    await server.signIn('support'),
  ];
  const csrf = await csrfOf(operator);
  for (const [visitor, how, expected] of [
    [operator, { csrf: 'x' }, 403],
    [operator, { csrf: '' }, 403],
    [operator, { csrf, origin: 'https://evil.example' }, 403],
    [member, { csrf: await csrfOf(member) }, 403],
    [support, { csrf: await csrfOf(support) }, 403],
    [server.stranger(), { csrf }, 403],
  ] as const) {
    t.is((await upload(server, visitor, { content: CSV, ...how })).status, expected);
  }
  t.is((await member.post('/simulator/file/run', { token: 'x' })).status, 404);
  const kept = () => readdirSync(tmpdir()).filter((name) => name.startsWith('gatekeeper-upload-'));
  const before = kept();
  const refused = await upload(server, operator, { content: 'PK\u0003\u0004', csrf });
  t.deepEqual(
    kept().filter((name) => !before.includes(name)),
    [],
    'a file that is refused is not kept',
  );
  t.is(refused.status, 400);
  t.regex(refused.body, /workbook or an archive/);
});

test.serial('a file of many signups shows its progress and then its results, in one answer', async (t) => {
  t.timeout(600_000);
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const rows = Array.from({ length: 6_000 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 5, 1) + i * 60_000).toISOString();
    return `${time},name.${i}@gmail.com,2.125.${i % 250}.${i % 199},,legitimate`;
  });
  const content = `time,email,ip_address,user_agent,label\n${rows.join('\n')}\n`;
  const uploaded = await upload(server, operator, { content, csrf: await csrfOf(operator) });
  const columns = ['time', 'email', 'ip_address', 'user_agent', 'label'];
  const { status, body } = await operator.post('/simulator/file/run', {
    token: tokenIn(uploaded.body),
    ...Object.fromEntries(columns.map((name) => [`column-${name}`, name])),
  });
  t.is(status, 200);
  t.regex(textOf(body), /would hurt [\d,]+ of 6,000 legitimate people/i);
  t.is(body.match(/<h1/g)?.length, 1);
  t.regex(body, /<\/html>$/);
  t.false(body.includes('\u2060'));
});
