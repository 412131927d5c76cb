import test from 'ava';
import { parse } from 'csv-parse/sync';
import type { AuditEntry } from '../../../src/storage/audit/audit-log.ts';
import { startDashboard } from '../dashboard-server.ts';

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ at: Date.parse('2026-11-21T12:00:00Z'), actorId: 'account-1', actorName: 'jane' },
  ...{ act: 'key.revoked', subject: '"ci" ending in wxyz', detail: { account: 'shop', old_ends: null } },
  ...changes,
});

test('actions are shown newest first, with their user, in plain words', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  t.regex((await operator.get('/audit?act=list.exported')).body, /No entry matches this filter/);
  await server.records.audit.record(entry());
  await operator.post('/lists', { entries: 'bad.example', list: 'deny' });
  const { body, status } = await operator.get('/audit');
  t.is(status, 200);
  const rows = [...body.matchAll(/<tr>(?:(?!<\/tr>).)*<td(?:(?!<\/tr>).)*<\/tr>/g)].map(([row]) => row);
  t.regex(rows[0] ?? '', /operator<wbr\/>@example\.com<\/a>.*added an entry to a list.*bad\.example/);
  t.regex(
    body,
    /revoked an API key<\/td><td [^>]*>&quot;ci&quot; ending in wxyz<\/td><td [^>]*>account: shop</,
  );
});

test('the details have times for people, and a pattern has its words', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await server.records.audit.record(
    entry({ act: 'signup.extended', detail: { until: '2026-11-24T13:17:05.123Z', mails: 2 } }),
  );
  await operator.post('/lists', { entries: 'pattern:~alnum:10', list: 'deny', confirmed: 'yes' });
  const { body } = await operator.get('/audit');
  t.regex(
    body,
    /until: <time datetime="2026-11-24T13:17:05.123Z"[^>]*>2026-11-24 13:17 UTC<\/time>; mails: 2</,
  );
  t.regex(body, /pattern 10 mixed letters and digits/);
  t.notRegex(body, /~alnum/);
});

test('actions are filtered by kind and user, and paged without a gap', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  for (let i = 0; i < 215; i++) await server.records.audit.record(entry({ subject: `key number ${i}.` }));
  await server.records.audit.record(entry({ act: 'key.created', actorId: 'account-2' }));
  const seen: string[] = [];
  for (let path: string | undefined = '/audit?act=key.revoked'; path !== undefined; ) {
    const { body } = await operator.get(path);
    seen.push(...[...body.matchAll(/key number \d+\./g)].map(([name]) => name));
    path = /href="([^"]*)" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  t.is(new Set(seen).size, 215);
  t.is(seen.length, 215);
  const byActor = (await operator.get('/audit?actor=account-2')).body;
  t.regex(byActor, /created an API key<\/td>/);
  t.false(byActor.includes('key number'));
  t.is((await operator.get('/audit?act=__proto__&before=x&actor[]=1')).status, 200);
});

test('the export has every action of the filter, and no formula', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  for (let i = 0; i < 1_050; i++) await server.records.audit.record(entry({ subject: '=cmd|' }));
  const { body, headers } = await operator.get('/audit/export.csv?act=key.revoked');
  t.regex(headers.get('content-disposition') ?? '', /gatekeeper-audit\.csv/);
  const rows = parse(body, { columns: true }) as Record<string, string>[];
  t.is(rows.length, 1_050);
  t.like(rows[0], {
    ...{ at: '2026-11-21T12:00:00.000Z', who: 'jane', account: 'account-1', act: 'key.revoked' },
    ...{ meaning: 'revoked an API key', subject: "'=cmd|" },
  });
});

test('hostile names and subjects are shown as text', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>';
  await server.records.audit.record(
    entry({ actorName: hostile, subject: hostile, detail: { account: hostile } }),
  );
  const { body } = await operator.get('/audit');
  t.true(body.includes('&lt;script>alert(1)'));
  t.false(body.includes('<script>alert') || body.includes('<img src=x'));
});

test('only operators see the audit log', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  for (const path of ['/audit', '/audit/export.csv']) {
    t.is((await member.get(path)).status, 404);
    t.is((await server.stranger().get(path)).status, 303);
  }
});
