import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Examination } from '../../../../src/assessment/processor.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';
import { campaignsOf, send, times } from './sent-campaigns.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;

/** Campaigns: their numbers, their names, and who sees them. */
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
