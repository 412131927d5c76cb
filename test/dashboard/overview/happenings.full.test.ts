import test from 'ava';
import { createRequestId } from '../../../src/http/request-id.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { aggregateAll } from '../../storage/rollups/rollup-fixture.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 34);
const MINUTE = 60_000;

/** Sixty signups of one domain within an hour, most of them refused. */
async function attack({ records }: DashboardServer): Promise<void> {
  const burst = { code: 'domain_burst', evidence: null } as const;
  for (let i = 0; i < 60; i++) {
    const processedAt = NOW - 50 * MINUTE + i * 30_000;
    const mailbox = `m${i}`;
    await records.decisions.record(
      decisionWith({
        ...{ requestId: createRequestId(processedAt), processedAt, riskLevel: 'high' },
        ...{ door: 'gate', route: 'web', mode: 'enforce', action: i < 3 ? 'forward' : 'block' },
        identity: {
          ...{ mailbox, spelling: mailbox, domain: 'crowd.example', ip: `ip-${i}`, site: null },
          ...{ network: `10.0.${i}.0/24`, userAgent: 'agent', template: null, style: 'n.n' },
        },
        examinations: examinations({ velocity: examination('normal_velocity', burst) }),
      }),
    );
  }
  await aggregateAll(records);
  await records.attacks.detect(NOW);
}

/** Each happening as one line of text, with its link. */
function happeningsOf(body: string): readonly { readonly text: string; readonly href: string }[] {
  return [...body.matchAll(/<li data-kind=.*?<\/li>/gs)].map(([item]) => ({
    text: item
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    href: (/href="([^"]*)"/.exec(item)?.[1] ?? '').replaceAll('&amp;', '&'),
  }));
}

test('the overview names attacks, warnings and changes, each with a link that opens', async (t) => {
  const dashboard = await startDashboard(t, { clock: () => NOW });
  const operator = await dashboard.signIn('operator');
  await attack(dashboard);
  const facts = { part: 57, whole: 60, since: NOW - 34 * MINUTE, usual: 0.05 };
  await dashboard.records.incidents.observe(NOW, [{ kind: 'refusals_jump', key: '', facts }]);
  await operator.post('/lists', { list: 'deny', kind: 'domain', text: 'crowd.example', ends: '30' });
  await dashboard.records.audit.record({
    ...{ at: NOW, actorId: null, actorName: 'operator@example.com', act: 'list.entry_added' },
    ...{ subject: 'deny domain <b>crowd.example</b>', detail: {} },
  });
  // Another time, and an act that changes no decision.
  await dashboard.records.audit.record({
    ...{ at: NOW - 48 * 60 * MINUTE, actorId: null, actorName: 'before', act: 'list.entry_added' },
    ...{ subject: 'long ago', detail: {} },
  });
  await dashboard.records.audit.record({
    ...{ at: NOW, actorId: null, actorName: 'exporter', act: 'decision.exported' },
    ...{ subject: 'decisions', detail: {} },
  });
  const { body } = await operator.get('/overview');
  t.true(body.includes('1 attack</h2>'));
  const found = happeningsOf(body);
  const of = (kind: string) => found.filter(({ text }) => text.startsWith(kind));
  t.regex(
    of('Attack')[0]?.text ?? '',
    /^Attack 60 signups at the domain crowd\.example 2026-11-21 11:44 UTC to 12:13 , 95 % stopped$/,
  );
  t.regex(of('Attack')[0]?.href ?? '', /^\/campaigns\/one\?by=domain&key=crowd\.example/);
  t.is(of('Attack').length, 1);
  t.regex(of('Warning')[0]?.text ?? '', /Far more signups were refused than usual/);
  t.true(of('Change').some(({ text }) => text.includes('&lt;b>crowd.example') || text.includes('&lt;b&gt;')));
  t.false(found.some(({ text }) => /long ago|exporter/.test(text)));
  for (const { href } of found) t.is((await operator.get(href)).status, 200, href);
  const member = await dashboard.signIn('member');
  t.deepEqual(happeningsOf((await member.get('/overview')).body), []);
});

test('many changes after an attack do not hide the attack', async (t) => {
  const dashboard = await startDashboard(t, { clock: () => NOW });
  const operator = await dashboard.signIn('operator');
  await attack(dashboard);
  for (let i = 0; i < 20; i++) {
    await dashboard.records.audit.record({
      ...{ at: NOW - i, actorId: null, actorName: 'jane', act: 'list.entry_added' },
      ...{ subject: `customer${i}.example`, detail: {} },
    });
  }
  const [shown = '', more = ''] = (await operator.get('/overview')).body.split(/<summary>\d+ more/);
  const found = happeningsOf(shown).map(({ text }) => text);
  t.is(found.length, 8);
  t.true(found[0]?.includes('customer0.example'));
  t.true(found[7]?.startsWith('Attack'));
  t.is(happeningsOf(more).length, 13);
});

test('without an attack the overview says so', async (t) => {
  const dashboard = await startDashboard(t, { clock: () => NOW });
  const operator = await dashboard.signIn('operator');
  await dashboard.records.decisions.record(decisionWith({ processedAt: NOW }));
  await aggregateAll(dashboard.records);
  t.true((await operator.get('/overview')).body.includes('No attacks</h2>'));
});
