import test, { type ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { createRandom } from '../../scripts/random.ts';
import { createApiKey, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import type { Judgement } from '../../src/assessment/judge.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import { createRequestId } from '../../src/http/request-id.ts';
import { entryOf } from '../../src/lists/list-requests.ts';
import { type DashboardServer, startDashboard, type Visitor } from '../dashboard/dashboard-server.ts';
import { alertTo, startAlertReceiver } from '../helpers/alert-receiver.ts';
import { openSignupJudge } from '../helpers/signup-judge.ts';
import { openSmtpMailbox } from '../helpers/smtp-mailbox.ts';
import { until } from '../helpers/until.ts';
import { decisionWith } from '../storage/decisions/decision-fixture.ts';
import { type Group, type NightSignup, nightSignups } from './night-signups.ts';

const QUARTER_MS = 15 * 60_000;
const QUARTERS = 41;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const judge = await openSignupJudge();
test.after.always(() => judge.close());
const { datasets } = judge;
const base = datasets.current.device.asOf;

const isStopped = ({ riskLevel }: Judgement) => riskLevel !== 'low';

/** Gatekeeper at the time of the night, with three receivers of all alerts. */
async function openSite(t: ExecutionContext) {
  const clock = { now: base };
  const http = await startAlertReceiver(t);
  const smtp = await openSmtpMailbox(t);
  const server = await startDashboard(t, {
    clock: () => clock.now,
    config: (config) => ({
      ...config,
      mail: { ...config.mail, smtp: smtp.url },
      alerts: [
        alertTo('pager', 'webhook', { url: `${http.url}/hook`, secrets: [SECRET] }),
        alertTo('team', 'slack', { url: `${http.url}/slack` }),
        alertTo('ops', 'mail', { mail: 'ops@example.com' }),
      ],
    }),
  });
  const at = (path: string) => http.received.filter((one) => one.path === path);
  return { clock, server, smtp, operator: await server.signIn('operator'), at };
}

type Site = Awaited<ReturnType<typeof openSite>>;

/** Records the night by quarters of an hour. Alerts about what began in a quarter arrive in it. */
async function liveThrough(
  { clock, server: { records }, smtp, at }: Site,
  signups: readonly NightSignup[],
): Promise<void> {
  const judgements = await judge.judgeAll(signups);
  let next = 0;
  for (let quarter = 1; quarter <= QUARTERS; quarter++) {
    const now = base + quarter * QUARTER_MS;
    const slice: Promise<unknown>[] = [];
    for (; next < signups.length && base + (signups[next]?.after ?? 0) < now; next++) {
      const judgement = judgements[next];
      const processedAt = base + (signups[next]?.after ?? 0);
      if (judgement) slice.push(records.decisions.record(toRecord(judgement, processedAt)));
    }
    await Promise.all(slice);
    clock.now = now;
    await records.attacks.detect(now);
    const { length } = await records.attacks.within({ from: base, to: now });
    await until(
      () => at('/hook').length >= length && at('/slack').length >= length && smtp.mails.length >= length,
    );
  }
}

/** The events of the overview, the oldest first. */
async function eventsOnOverview(operator: Visitor) {
  const { body } = await operator.get('/overview');
  const items = body.matchAll(/<li data-kind="(\w+)"[^>]*>.*?<a href="([^"]*)">([^<]*)<\/a>/g);
  return [...items]
    .map(([, kind = '', href = '', title = '']) => ({ kind, href: href.replaceAll('&amp;', '&'), title }))
    .reverse();
}

/** Presses the one button of the campaign that denies what its signups have in common. Returns its entry. */
async function denyBy(operator: Visitor, campaign: string) {
  const { body } = await operator.get(campaign);
  const [form = ''] = /<form[^>]*action="\/campaigns\/deny-pattern".*?<\/form>/s.exec(body) ?? [];
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const denied = await operator.post('/campaigns/deny-pattern', {
    ...Object.fromEntries(fields.map(([, name, value]) => [name, value])),
    ends: '30',
  });
  return { status: denied.status, id: /name="id" value="([^"]*)"/.exec(denied.body)?.[1] ?? '' };
}

/** The entries that the pages wrote. */
async function deniedEntries({ records }: DashboardServer) {
  const stored = await records.listEntries.page({ after: null, limit: 10, filter: {} });
  return stored.flatMap((entry) => entryOf(entry) ?? []);
}

/** Scores a signup with a new key at the API of the running process. */
async function createScorer({ records, gatekeeper }: DashboardServer, { accountId }: Visitor) {
  const key = createApiKey({ test: false });
  await records.apiKeys.create({
    ...{ accountId, name: 'shop', sha256: sha256OfKey(key), lastFour: key.slice(-4) },
    ...{ test: false, expiresAt: null },
  });
  return async (email: string): Promise<string> => {
    const response = await fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, ip_address: '2.125.160.216' }),
    });
    return await response.text();
  };
}

test('a night with three attacks has three events and three alerts, and one act against each pattern is enough', async (t) => {
  t.timeout(900_000);
  const site = await openSite(t);
  const { server, operator, smtp, at } = site;
  await liveThrough(site, nightSignups(judge, createRandom(7)));

  const events = await eventsOnOverview(operator);
  t.log(events.map(({ title }) => title));
  t.deepEqual(
    events.filter(({ kind }) => kind !== 'change').map(({ title }) => title.replace(/^\d+ signups /, '')),
    ['of the pattern promo.user####', 'at the domain quick-inbox-meadow.com', 'with a Tor exit'],
  );
  const attacks = events.filter(({ kind }) => kind === 'attack');
  const sizes = attacks.map(({ title }) => Number.parseInt(title, 10));
  t.true((sizes[0] ?? 0) >= 370 && (sizes[1] ?? 0) >= 85 && (sizes[2] ?? 0) >= 75);

  const hooks = at('/hook').map(({ body, headers }) => {
    const id = headers['webhook-id'] ?? '';
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    t.is(headers['webhook-signature'], new Webhook(SECRET).sign(id, sentAt, body));
    return {
      id,
      ...(JSON.parse(body) as { readonly type: string; readonly data: { readonly link: string } }),
    };
  });
  t.deepEqual(
    hooks.map(({ type }) => type),
    ['attack.began', 'attack.began', 'attack.began'],
  );
  t.is(new Set(hooks.map(({ id }) => id)).size, 3);
  t.is(at('/slack').length, 3);
  t.is(smtp.mails.length, 3);
  for (const [i, { data }] of hooks.entries()) {
    t.true(JSON.parse(at('/slack')[i]?.body ?? '{}').text.includes(data.link));
    t.true(smtp.mails[i]?.text.includes(data.link));
    const { pathname, search } = new URL(data.link);
    t.is((await operator.get(pathname + search)).status, 200, 'the link leads to a page');
  }

  const score = await createScorer(server, operator);
  const denied = [
    { href: attacks[0]?.href ?? '', email: 'promo.user7421@gmail.com', code: 'denylisted_pattern' },
    { href: attacks[1]?.href ?? '', email: 'maria.berg@quick-inbox-meadow.com', code: 'denylisted_email' },
  ];
  const undo: string[] = [];
  for (const { href, email, code } of denied) {
    t.false((await score(email)).includes(code));
    const { status, id } = await denyBy(operator, href);
    t.is(status, 200);
    t.true((await score(email)).includes(code), 'the entry applies in the running process');
    undo.push(id);
  }
  const deny = await deniedEntries(server);
  t.is(deny.length, 2, 'one act is one entry; Tor is verified without any');

  const second = nightSignups(judge, createRandom(8));
  const before = await judge.judgeAll(second);
  const lists = compileLists({ allow: [], deny }, (ip) => datasets.current.network.locate(ip));
  const after = await judge.judgeAll(second, undefined, lists);
  const stoppedOf = (group: Group, some: readonly Judgement[]) =>
    some.filter((judgement, i) => second[i]?.group === group && isStopped(judgement)).length;
  const countOf = (group: Group) => second.filter((signup) => signup.group === group).length;
  for (const group of ['pattern', 'crowd', 'tor'] as const) {
    t.log(group, stoppedOf(group, before), '→', stoppedOf(group, after), 'of', countOf(group));
    t.true(stoppedOf(group, after) >= 0.95 * countOf(group), group);
  }
  const hurt = second.filter(({ group }, i) => {
    const [one, other] = [before[i], after[i]];
    return group === 'people' && one && other && other.trustScore < one.trustScore && isStopped(other);
  });
  t.deepEqual(
    hurt.map(({ email }) => email),
    [],
  );
  const refused = second.flatMap(({ group }, i) =>
    group === 'pattern' && after[i]?.riskLevel === 'high' ? [i] : [],
  );
  t.deepEqual(refused, [], 'a pattern alone refuses nobody');

  for (const [i, { email, code }] of denied.entries()) {
    await operator.post('/lists/remove', { id: undo[i] ?? '' });
    t.false((await score(email)).includes(code), 'one act undoes it');
  }
  t.deepEqual(await deniedEntries(server), []);
  t.deepEqual([at('/hook').length, at('/slack').length, smtp.mails.length], [3, 3, 3], 'no alert came twice');
});

function toRecord(judgement: Judgement, processedAt: number) {
  const { riskLevel, trustScore, examinations, lists, attempt } = judgement;
  const wantedAction = ({ low: 'forward', medium: 'verify', high: 'block' } as const)[riskLevel];
  return decisionWith({
    ...{ requestId: createRequestId(processedAt), processedAt, door: 'gate', route: 'web', mode: 'enforce' },
    ...{ identity: attempt.identity, riskLevel, trustScore, examinations, lists },
    ...{ action: wantedAction, wantedAction },
  });
}
