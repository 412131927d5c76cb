import test from 'ava';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import { startDashboard } from '../dashboard-server.ts';
import { storeDecisions, withIdentity } from '../decisions/stored-decisions.ts';
import { linkIn, mailbox, storeCampaign, TEMPLATE, textOf } from './stored-campaigns.ts';

test('members have no campaigns', async (t) => {
  const server = await startDashboard(t);
  const member = await server.signIn('member');
  for (const path of ['/campaigns', '/campaigns/one?by=template&key=x&from=0&to=1']) {
    t.is((await member.get(path)).status, 404);
  }
  t.is((await member.post('/campaigns/deny', { what: 'mailbox' })).status, 404);
});

test('a campaign is shown with its common part, and its passed signups are exported', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  t.regex((await operator.get('/campaigns')).body, /No campaigns in this time/);
  const made = await storeCampaign(server);
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  t.regex(textOf(body), /Mailboxes of one pattern template 1 of 100 8 8 1 2 8 low 5/);
  const one = await operator.get(linkIn(body, /href="(\/campaigns\/one[^"]*)"/));
  t.is(one.status, 200);
  t.regex(textOf(one.body), /8 mailboxes in 8 attempts , from 1 network, at 2 domains/);
  t.regex(textOf(one.body), /d0\.example, d1\.example/);
  const csv = (await operator.get(linkIn(one.body, /href="(\/decisions\/export\.csv[^"]*)"/))).body;
  t.deepEqual(
    made.map(({ requestId }) => csv.includes(requestId)),
    made.map(({ action }) => action === 'forward'),
  );
});

test('numbers of a campaign have separators, and one signup is singular', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeDecisions(
    server,
    Array.from({ length: 1_234 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n) }),
      action: n === 0 ? ('forward' as const) : ('block' as const),
    })),
  );
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  t.regex(textOf(body), / 1,234 1,234 1 1 1,234 low /);
  const one = textOf((await operator.get(linkIn(body, /href="(\/campaigns\/one[^"]*)"/))).body);
  t.regex(one, /1,234 mailboxes in 1,234 attempts/);
  t.regex(one, /its 1,234 mailboxes/);
  t.regex(one, / 1 attempt was let in: /);
});

test('a campaign of one style is shown with an example, and its link finds exactly its decisions', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const { examinations } = decisionWith();
  const surge = (style: string) => ({
    examinations: {
      ...examinations,
      velocity: {
        ...{ classification: 'normal_velocity' as const, evidence: null, incomplete: null },
        findings: [{ code: 'cohort_surge' as const, evidence: 'many', fields: { style }, shared: true }],
      },
    },
  });
  await storeDecisions(
    server,
    Array.from({ length: 9 }, (_, n) => ({
      ...withIdentity({ mailbox: mailbox(n) }),
      ...surge(n < 6 ? 'sd3' : 'n.n'),
    })),
  );
  const { body } = await operator.get('/campaigns?by=cohort&within=hour');
  t.regex(textOf(body), /Mailboxes such as abc123 31 of 100 6 6/);
  const one = await operator.get(linkIn(body, /href="(\/campaigns\/one[^"]*)"/));
  t.regex(textOf(one.body), /Signups with mailboxes such as abc123 .*Shared value sd3 /);
  const decisions = await operator.get(linkIn(one.body, /href="(\/decisions\?[^"]*)"/));
  t.is(decisions.body.match(/\/decisions\/[\da-f]{8}-/g)?.length, 6);
});

test('a pattern is named by the plain address of its newest signup, where addresses are stored', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const plain = (email: string) => ({ plain: { email, ip: '203.0.113.7', userAgent: null } });
  await storeDecisions(server, [
    ...Array.from({ length: 6 }, (_, n) => ({
      ...withIdentity({ template: TEMPLATE, mailbox: mailbox(n) }),
      ...plain(`x7k2p9q${n}@example.com`),
    })),
    ...Array.from({ length: 6 }, (_, n) => withIdentity({ template: 'unknown', mailbox: mailbox(n + 20) })),
    ...Array.from({ length: 6 }, (_, n) => ({
      ...withIdentity({ template: 'unreadable', mailbox: mailbox(n + 40) }),
      ...plain('no mailbox'),
    })),
  ]);
  const { body } = await operator.get('/campaigns?by=template&within=hour');
  t.regex(textOf(body), /8 mixed letters and digits such as k3j9x0q2 1 of 100 6 6/);
  t.regex(textOf(body), /Mailboxes of one pattern unknown 1 of 100/);
  t.regex(textOf(body), /Mailboxes of one pattern unreadab 1 of 100/);
  const href = /href="(\/campaigns\/one[^"]*)"[^>]*><code>8 mixed/.exec(body)?.[1] ?? '';
  const one = textOf((await operator.get(href.replaceAll('&amp;', '&'))).body);
  t.regex(one, /Mailboxes such as k3j9x0q2 Shared value 8 mixed letters and digits/);
  t.regex(one, /Deny the pattern 8 mixed letters and digits/);
});

test('a university stands below burners, however many signed up', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const { examinations } = decisionWith();
  const email = (code: 'education_email' | 'corporate_email') => ({
    ...{ classification: code, evidence: null, findings: [], incomplete: null },
  });
  await storeDecisions(server, [
    ...Array.from({ length: 30 }, (_, n) => ({
      ...withIdentity({ mailbox: mailbox(n), domain: 'uni.edu' }),
      ...{ riskLevel: 'low' as const, examinations: { ...examinations, email: email('education_email') } },
    })),
    ...Array.from({ length: 8 }, (_, n) => ({
      ...withIdentity({ mailbox: mailbox(n + 50), domain: 'burner.example' }),
      ...{ riskLevel: 'high' as const, examinations: { ...examinations, email: email('corporate_email') } },
    })),
  ]);
  const { body } = await operator.get('/campaigns?by=domain&within=hour');
  t.true(body.indexOf('burner.example') < body.indexOf('uni.edu'));
  t.regex(textOf(body), /uni\.edu 0 of 100/);
});
