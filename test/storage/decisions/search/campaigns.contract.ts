import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Examination } from '../../../../src/assessment/processor.ts';
import type { DecisionRecord } from '../../../../src/storage/decisions/decision-record.ts';
import type { CampaignKind } from '../../../../src/storage/decisions/search/campaign.ts';
import { ANY_DECISION } from '../../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;

interface Sent extends Partial<DecisionRecord['identity']> {
  readonly at?: number;
  readonly decision?: Partial<DecisionRecord>;
}

async function send(records: Storage, attempts: readonly Sent[]): Promise<void> {
  await Promise.all(
    attempts.map(({ at = NOON - 1_000, decision, ...identity }, n) =>
      records.decisions.record(
        decisionWith({
          processedAt: at,
          identity: {
            ...decisionWith().identity,
            ...{ mailbox: `mailbox-${n}`, domain: `d${n}.example`, network: `198.51.${n}.0/24` },
            ...identity,
          },
          ...decision,
        }),
      ),
    ),
  );
}

const campaignsOf = async (records: Storage, kind: CampaignKind, accountId: string | null = null) =>
  (await records.decisionSearch.campaigns({ accountId, kind, from: NOON - HOUR_MS, to: NOON })).campaigns;

const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

/** Campaigns, and what is around a decision. */
export function testCampaigns(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test(`${engine}: ${title}`, run);
  const open = async (t: ExecutionContext) => (await prepare(t))(() => NOON);

  contract('attempts of one template are a campaign, told by their numbers', async (t) => {
    const records = await open(t);
    await send(records, [
      ...times(4, (n) => ({
        template: 'promo',
        at: NOON - 5_000 + n,
        decision: { riskLevel: 'high' as const, action: 'block' as const, mode: 'enforce' as const },
      })),
      ...times(3, (n) => ({
        template: 'promo',
        at: NOON - 3_000 + n,
        decision: { riskLevel: 'medium' as const, action: 'forward' as const, mode: 'enforce' as const },
      })),
      ...times(20, () => ({ template: null })),
      ...times(4, () => ({ template: 'too few' })),
      ...times(9, () => ({ template: 'one person', mailbox: 'same' })),
      ...times(9, () => ({ template: 'yesterday', at: NOON - 2 * HOUR_MS })),
      ...times(9, () => ({ template: 'a test', decision: { test: true } })),
    ]);
    t.deepEqual(await campaignsOf(records, 'template'), [
      {
        ...{ kind: 'template', key: 'promo', attempts: 7, mailboxes: 7, networks: 7, domains: 7 },
        ...{ levels: { low: 0, medium: 3, high: 4 }, passed: 3, first: NOON - 5_000, last: NOON - 2_998 },
        ...{ bursts: 0, trusted: 0, verified: 0, legitimate: 0, fraud: 0 },
        backendDomains: [],
      },
    ]);
  });

  contract('a template is named by its newest decision, by the evidence or the plain address', async (t) => {
    const records = await open(t);
    const plain = (email: string) => ({ plain: { email, ip: '203.0.113.7', userAgent: null } });
    const pattern = { code: 'template_burst' as const, evidence: null, fields: { pattern: 'promo.user#' } };
    const velocity: Examination = {
      ...{ classification: 'normal_velocity', evidence: null, findings: [pattern], incomplete: null },
    };
    await send(records, [
      { template: 'by address', at: NOON - 9_000, decision: plain('old.name1234567@example.com') },
      { template: 'by address', at: NOON - 8_000, decision: plain('x7k2p9q4@example.com') },
      {
        ...{ template: 'by evidence', at: NOON - 7_000 },
        decision: {
          ...plain('other99999@example.com'),
          examinations: { ...decisionWith().examinations, velocity },
        },
      },
      { template: 'unnamed', at: NOON - 7_000 },
      { template: 'without a mailbox', at: NOON - 6_000, decision: plain('@') },
    ]);
    const at = (key: string, ago: number) => ({ key, last: NOON - ago });
    const names = await records.decisionSearch.patternNames([
      ...[at('by address', 8_000), at('by evidence', 7_000), at('unnamed', 7_000)],
      at('without a mailbox', 6_000),
    ]);
    t.deepEqual(
      new Map([...names].sort()),
      new Map([
        ['by address', '~alnum:8'],
        ['by evidence', 'promo.user#'],
      ]),
    );
    t.deepEqual(await records.decisionSearch.patternNames([]), new Map());
    const time = { from: NOON - HOUR_MS, to: NOON };
    t.is(await records.decisionSearch.patternName({ key: 'by address', ...time }), '~alnum:8');
    t.is(await records.decisionSearch.patternName({ key: 'unnamed', ...time }), null);
  });

  contract('a domain makes a campaign, unless it is a provider open to everyone', async (t) => {
    const records = await open(t);
    const personal: Examination = {
      ...{ classification: 'personal_email', evidence: null, findings: [], incomplete: null },
    };
    await send(records, [
      ...times(6, () => ({ domain: 'burner.example' })),
      ...times(30, () => ({
        domain: 'gmail.com',
        decision: { examinations: { ...decisionWith().examinations, email: personal } },
      })),
    ]);
    const campaigns = await campaignsOf(records, 'domain');
    t.deepEqual(
      campaigns.map(({ key, attempts }) => [key, attempts]),
      [['burner.example', 6]],
    );
  });

  contract('a device is a user agent in one network', async (t) => {
    const records = await open(t);
    await send(records, [
      ...times(5, () => ({ userAgent: 'chrome', network: '203.0.113.0/24' })),
      ...times(5, () => ({ userAgent: 'firefox', network: '203.0.113.0/24' })),
      ...times(30, () => ({ userAgent: 'chrome' })),
    ]);
    t.deepEqual((await campaignsOf(records, 'device')).map(({ key }) => key).sort(), [
      '203.0.113.0/24 chrome',
      '203.0.113.0/24 firefox',
    ]);
    t.deepEqual(
      (await campaignsOf(records, 'network')).map(({ key, mailboxes }) => [key, mailboxes]),
      [['203.0.113.0/24', 10]],
    );
  });

  contract('domains whose mail goes to one throwaway service are a campaign of its backend', async (t) => {
    const records = await open(t);
    const behind = (host: string): Partial<DecisionRecord> => ({
      examinations: {
        ...decisionWith().examinations,
        email: {
          classification: 'corporate_email',
          evidence: null,
          findings: [{ code: 'disposable_mail_exchange', evidence: host, fields: { mail_server: host } }],
          incomplete: null,
        },
      },
    });
    await send(records, [
      ...times(6, () => ({ decision: behind('mx.burner.example') })),
      ...times(4, () => ({ decision: behind('mx.other.example') })),
      ...times(20, () => ({})),
    ]);
    const [campaign, ...others] = await campaignsOf(records, 'backend');
    t.like(campaign, { key: 'mx.burner.example', attempts: 6, mailboxes: 6, domains: 6 });
    t.deepEqual(others, []);
  });

  contract('signups of one style are a campaign, and a search finds exactly them', async (t) => {
    const records = await open(t);
    const surge = (style: string): Partial<DecisionRecord> => ({
      examinations: {
        ...decisionWith().examinations,
        velocity: {
          ...{ classification: 'normal_velocity', evidence: null, incomplete: null },
          findings: [
            {
              code: 'cohort_surge',
              evidence: `spelled like "style":"${style}"`,
              fields: { style, usual: 0.01 },
            },
          ],
        },
      },
    });
    await send(records, [
      ...times(7, () => ({ decision: surge('n_n') })),
      ...times(6, () => ({ decision: surge('nxn') })),
      ...times(5, () => ({ decision: surge('@o-o.co.uk') })),
      ...times(4, () => ({ decision: surge('mix') })),
      ...times(20, () => ({ style: 'n_n' })),
    ]);
    const campaigns = await campaignsOf(records, 'cohort');
    t.deepEqual(
      campaigns.map(({ key, attempts, backendDomains }) => [key, attempts, backendDomains]),
      [
        ['n_n', 7, []],
        ['nxn', 6, []],
        ['@o-o.co.uk', 5, []],
      ],
    );
    for (const [style, count] of [
      ['n_n', 7],
      ['nxn', 6],
      ['@o-o.co.uk', 5],
      ['n%', 0],
      ['\\', 0],
      ['"', 0],
    ] as const) {
      const found = await records.decisionSearch.values(
        { ...ANY_DECISION, style },
        { of: 'mailbox', limit: 100 },
      );
      t.is(found.length, count, style);
    }
    const one = await records.decisionSearch.campaign(
      { accountId: null, kind: 'cohort', from: NOON - HOUR_MS, to: NOON },
      'n_n',
    );
    t.like(one, { kind: 'cohort', key: 'n_n', mailboxes: 7 });
  });

  contract('an account sees campaigns in its own traffic alone', async (t) => {
    const records = await open(t);
    await send(records, [
      ...times(5, () => ({ template: 'ours', decision: { accountId: 'us' } })),
      ...times(9, () => ({ template: 'theirs', decision: { accountId: 'them' } })),
    ]);
    t.deepEqual(
      (await campaignsOf(records, 'template', 'us')).map(({ key }) => key),
      ['ours'],
    );
    t.deepEqual(
      (await campaignsOf(records, 'template')).map(({ key }) => key),
      ['theirs', 'ours'],
    );
  });

  contract('what is around a decision is counted in its own traffic, in three windows', async (t) => {
    const records = await open(t);
    const network = '203.0.113.0/24';
    await send(records, [
      ...times(3, (n) => ({ network, at: NOON - n * 60_000 })),
      ...times(2, (n) => ({ network, at: NOON - 30 * 60_000, mailbox: `m${n}`, template: 'promo' })),
      { network, at: NOON - 5 * HOUR_MS, mailbox: 'm1' },
      { network, at: NOON - 25 * HOUR_MS },
      { network, at: NOON + 1 },
      { network, decision: { accountId: 'another' } },
      { network, decision: { test: true } },
    ]);
    const decision = decisionWith({
      identity: { ...decisionWith().identity, network, mailbox: 'own', template: 'promo', domain: null },
    });
    await records.decisions.record(decision);
    const stored = await records.decisionSearch.find(decision.requestId, null);
    if (!stored) throw new Error('it is not there');
    const { likenesses, countedBackTo } = await records.decisionSearch.around(stored);
    t.is(countedBackTo, null);
    t.deepEqual(likenesses, [
      {
        likeness: 'mailbox',
        attempts: { tenMinutes: 1, hour: 1, day: 1 },
        mailboxes: { tenMinutes: 1, hour: 1, day: 1 },
      },
      {
        likeness: 'template',
        attempts: { tenMinutes: 1, hour: 3, day: 3 },
        mailboxes: { tenMinutes: 1, hour: 3, day: 3 },
      },
      {
        likeness: 'device',
        attempts: { tenMinutes: 4, hour: 6, day: 7 },
        mailboxes: { tenMinutes: 4, hour: 6, day: 6 },
      },
      {
        likeness: 'network',
        attempts: { tenMinutes: 4, hour: 6, day: 7 },
        mailboxes: { tenMinutes: 4, hour: 6, day: 6 },
      },
    ]);
  });
}
