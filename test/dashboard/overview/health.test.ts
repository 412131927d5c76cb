import test from 'ava';
import type { DashboardStatus } from '../../../src/dashboard/dashboard-dependencies.ts';
import { healthOf, type UnsentMails } from '../../../src/dashboard/overview/health.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 22);
const dayBefore = (days: number) => new Date(NOW - days * DAY).toISOString().slice(0, 10);
const builtIn = {
  ...{ name: 'networks', source: 's', licence: 'l', entries: 1, revision: 'r', failure: null },
  oldAfterMs: null,
};
const feed = { ...builtIn, oldAfterMs: 3 * DAY };

const healthy: DashboardStatus = {
  seesUntrustedForwarding: false,
  countersLocalSince: null,
  unjudgedSignups: [],
  missingEmails: [],
  datasets: [{ ...builtIn, date: dayBefore(60), fetchedAt: null }],
  dataRevision: 'r',
  configuration: { waiting: [], refused: null },
  dns: null,
  mail: null,
};
const failing = { lastSuccessAt: NOW - DAY, lastFailureAt: NOW, failuresInARow: 5, failure: 'timeout' };
const figures = { judged: 1_000, degraded: 0 };
const unjudged = {
  method: 'POST',
  path: '/join',
  email: 'email',
  isReadable: true,
  sharesPath: false,
  count: 1_200,
  lastAt: NOW,
};

function badFacts(changes: Partial<DashboardStatus>, counted = figures): readonly string[] {
  const facts = healthOf({
    status: { ...healthy, ...changes },
    nodes: null,
    unsentMails: 'none',
    figures: counted,
    now: NOW,
  });
  const bad = facts.filter(({ isGood }) => !isGood);
  // The bad ones come first.
  return facts.slice(0, bad.length).map(({ name, state }) => `${name}: ${state}`);
}

test('a healthy site has no bad fact, and says how old its data are', (t) => {
  t.deepEqual(badFacts({}), []);
  const facts = healthOf({ status: healthy, nodes: null, unsentMails: 'none', figures, now: NOW });
  t.true(facts.some(({ name, state }) => name === 'Data' && state === 'up to 60 days old'));
});

for (const [expected, changes] of [
  ['Configuration: refused', { configuration: { waiting: [], refused: { since: NOW, because: 'x' } } }],
  ['Configuration: waits for a restart', { configuration: { waiting: ['workers'], refused: null } }],
  ['Proxies: not trusted', { seesUntrustedForwarding: true }],
  ['DNS: no answers', { dns: failing }],
  ['Mail: not sent', { mail: failing }],
  ['Counters: local', { countersLocalSince: NOW }],
  ['Unjudged requests: 1,200', { unjudgedSignups: [unjudged] }],
  ['Data: up to 200 days old', { datasets: [{ ...builtIn, date: dayBefore(200), fetchedAt: null }] }],
  [
    'Feeds: 1 of 2 old',
    {
      datasets: [
        { ...feed, date: dayBefore(9), fetchedAt: NOW },
        { ...feed, date: dayBefore(9), fetchedAt: NOW - 4 * DAY },
      ],
    },
  ],
  ['Feeds: 1 of 1 old', { datasets: [{ ...feed, date: '', fetchedAt: null, failure: 'HTTP 500' }] }],
] as const satisfies readonly (readonly [string, Partial<DashboardStatus>])[]) {
  test(`the health strip begins with: ${expected}`, (t) => {
    t.is(badFacts(changes)[0], expected);
  });
}

test('a few degraded decisions are no bad sign, one in a hundred is', (t) => {
  t.deepEqual(badFacts({}, { judged: 1_000, degraded: 10 }), []);
  t.deepEqual(badFacts({}, { judged: 1_000, degraded: 11 }), ['Degraded decisions: 1.1 %']);
  t.deepEqual(badFacts({}, { judged: 0, degraded: 0 }), []);
});

test('nodes are counted where they share records, and what differs between them is bad', (t) => {
  const node = {
    ...{ id: 'a', name: 'web-1/7', version: '0.1.0', configuration: 'c', data: 'd', degraded: [] },
    ...{ clockSkewMs: 3, startedAt: NOW, seenAgoMs: 0, configurationForMs: DAY, dataForMs: DAY },
  };
  const stateOf = (nodes: readonly (typeof node)[]) =>
    healthOf({ status: healthy, unsentMails: 'none', nodes, figures, now: NOW }).find(
      ({ name }) => name === 'Nodes',
    );
  t.like(stateOf([node, { ...node, id: 'b' }, { ...node, id: 'c', seenAgoMs: 60_000 }]), {
    ...{ state: '2', isGood: true, href: '/routes#nodes' },
  });
  t.like(stateOf([node, { ...node, id: 'b', data: 'e', clockSkewMs: 40 * DAY }]), {
    ...{ state: '2, clock and data differ', isGood: false },
  });
});

test('the resolver and the mail server are shown with their last success; a single failure is no bad sign', (t) => {
  const stateOf = (changes: Partial<DashboardStatus>, name: string) =>
    healthOf({
      status: { ...healthy, ...changes },
      nodes: null,
      unsentMails: 'none',
      figures,
      now: NOW,
    }).find((fact) => fact.name === name);
  const worked = { lastSuccessAt: NOW - 1, lastFailureAt: NOW, failuresInARow: 1, failure: 'timeout' };
  t.like(stateOf({ dns: worked, mail: worked }, 'DNS'), { state: 'answers', isGood: true, at: NOW - 1 });
  t.like(stateOf({ dns: worked, mail: worked }, 'Mail'), { state: 'sent', isGood: true, at: NOW - 1 });
  const unused = { lastSuccessAt: null, lastFailureAt: null, failuresInARow: 0, failure: null };
  t.like(stateOf({ dns: unused }, 'DNS'), { state: 'not asked yet', at: null });
  t.is(stateOf({}, 'DNS')?.state, 'off');
  t.is(stateOf({}, 'Mail')?.state, 'no mail server');
});

test('without a mail server, the mails of an enforced route are shown or lost, and the overview says so', (t) => {
  const mailOf = (unsentMails: UnsentMails) =>
    healthOf({ status: healthy, unsentMails, nodes: null, figures, now: NOW }).find(
      ({ name }) => name === 'Mail',
    );
  t.like(mailOf('shown'), { state: 'only in the development mailbox', isGood: true, href: '/mailbox' });
  t.like(mailOf('lost'), { state: 'not sent, so no sender can verify: set mail.smtp', isGood: false });
});

test('of several nodes, one that gets no DNS answers or sends no mails is told', (t) => {
  const node = {
    ...{
      id: 'a',
      name: 'web-1/7',
      version: '0.1.0',
      configuration: 'c',
      data: 'd',
      degraded: [] as string[],
    },
    ...{ clockSkewMs: 3, startedAt: NOW, seenAgoMs: 0, configurationForMs: DAY, dataForMs: DAY },
  };
  const nodes = [
    node,
    { ...node, id: 'b', degraded: ['dns'] },
    { ...node, id: 'c', degraded: ['mail', 'dns'], seenAgoMs: 60_000 },
  ];
  const facts = healthOf({ status: healthy, unsentMails: 'none', nodes, figures, now: NOW });
  const bad = facts.filter(({ isGood }) => !isGood).map(({ name, state }) => `${name}: ${state}`);
  t.deepEqual(bad, ['DNS: no answers on 1 node'], 'a silent node is not counted');
});
