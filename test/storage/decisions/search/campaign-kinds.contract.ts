import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Examination } from '../../../../src/assessment/processor.ts';
import type { DecisionRecord } from '../../../../src/storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../../../src/storage/decisions/search/decision-filter.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';
import { campaignsOf, send, times } from './sent-campaigns.ts';

const test = anyTest as TestFn;
const HOUR_MS = 3_600_000;

/** What signups of one campaign have in common: a domain, a device, a mail service or a style. */
export function testCampaignKinds(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
    test(`${engine}: ${title}`, run);
  const open = async (t: ExecutionContext) => (await prepare(t))(() => NOON);

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
}
