import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { createRandom, pick } from '../../../../scripts/random.ts';
import type { Examination } from '../../../../src/assessment/processor.ts';
import type { DecisionRecord } from '../../../../src/storage/decisions/decision-record.ts';
import { CAMPAIGN_KINDS, type CampaignKind } from '../../../../src/storage/decisions/search/campaign.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import type { PrepareStorage } from '../../prepare-storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';

const test = anyTest as TestFn;
const DAY_MS = 86_400_000;
const COUNT = 1_500;
const LEVELS = ['low', 'medium', 'high'] as const;

function examinationOf(classification: Examination['classification']): Examination {
  return { classification, evidence: null, findings: [], incomplete: null };
}

/** Attempts that share few values, some at public mail providers, some with the style of a surge or behind one mail server. */
function crowd(): readonly DecisionRecord[] {
  const random = createRandom(7);
  return Array.from({ length: COUNT }, () => {
    const accountId = pick([null, 'shop', 'forum'], random);
    const action = accountId === null ? pick(['forward', 'verify', 'block'] as const, random) : null;
    const email = examinationOf(
      pick(['personal_email', 'corporate_email', 'education_email'] as const, random),
    );
    const host = `mx${random(2)}.example`;
    const isBackend = random(4) === 0;
    const behind = {
      code: 'disposable_mail_exchange',
      evidence: host,
      fields: { mail_server: host },
    } as const;
    const surge = { code: 'cohort_surge', evidence: null, fields: { style: `n_s${random(2)}` } } as const;
    return decisionWith({
      ...{ accountId, action, mode: action && pick(['enforce', 'monitor'] as const, random) },
      ...{ processedAt: NOON - 1 - random(DAY_MS), riskLevel: pick(LEVELS, random), test: random(10) === 0 },
      route: accountId === null ? pick(['web', 'mobile', null], random) : null,
      identity: {
        ...decisionWith().identity,
        mailbox: `mailbox ${random(300)}`,
        domain: `${isBackend ? `b-${host}-${random(3)}` : `d${random(30)}`}.example`,
        network: `198.51.${random(30)}.0/24`,
        template: pick(['promo', 'other', null], random),
        userAgent: pick(['chrome', 'firefox', null], random),
      },
      examinations: {
        email: { ...email, findings: isBackend ? [behind] : [] },
        ip_address: null,
        velocity: { ...examinationOf('normal_velocity'), findings: random(3) === 0 ? [surge] : [] },
        user_agent: null,
      },
    });
  });
}

/** Computed one decision after the other. */
function expectedDetails(kind: CampaignKind, key: string, decisions: readonly DecisionRecord[]) {
  const members = decisions
    .filter((one) => !one.test && keyOf(kind, one) === key)
    .sort((a, b) => a.processedAt - b.processedAt);
  const different = (values: readonly (string | null)[]) =>
    [...new Set(values.flatMap((value) => value ?? []))].sort().slice(0, 21);
  const passed = members.filter(
    ({ action, mode, riskLevel }) =>
      action === 'forward' || mode === 'monitor' || (action === null && riskLevel === 'low'),
  );
  const doors = new Map<string, number>();
  for (const { accountId, route } of passed) {
    const door = `${accountId}/${route}`;
    doors.set(door, (doors.get(door) ?? 0) + 1);
  }
  return {
    attempts: members.length,
    levels: LEVELS.map((level) => members.filter(({ riskLevel }) => riskLevel === level).length),
    domains: different(members.map(ownDomainOf)),
    networks: different(members.map(({ identity }) => identity.network)),
    passedBy: new Map([...doors].sort()),
    newest: members.slice(-200).map(({ processedAt }) => processedAt),
    times: members.map(({ processedAt }) => processedAt),
  };
}

function ownDomainOf({ examinations, identity }: DecisionRecord): string | null {
  return examinations.email?.classification === 'personal_email' ? null : identity.domain;
}

function keyOf(kind: CampaignKind, decision: DecisionRecord): unknown {
  const { identity, examinations } = decision;
  if (kind === 'template') return identity.template;
  if (kind === 'network') return identity.network;
  if (kind === 'device') return identity.userAgent && `${identity.network} ${identity.userAgent}`;
  if (kind === 'backend') return examinations.email?.findings[0]?.fields?.mail_server;
  if (kind === 'cohort') return examinations.velocity?.findings[0]?.fields?.style;
  return ownDomainOf(decision);
}

const time = { accountId: null, from: NOON - DAY_MS, to: NOON };

/** What the page of one campaign shows. */
export function testCampaignDetails(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, records: Storage) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await (await prepare(t))(() => NOON)));

  contract('the details of a campaign are those of its attempts, for every kind', async (t, records) => {
    const decisions = crowd();
    await Promise.all(decisions.map((decision) => records.decisions.record(decision)));
    for (const kind of CAMPAIGN_KINDS) {
      const { campaigns } = await records.decisionSearch.campaigns({ ...time, kind });
      t.true(campaigns.length >= 2, kind);
      for (const { key } of campaigns.slice(0, 4)) {
        const query = { ...time, kind };
        const campaign = await records.decisionSearch.campaign(query, key);
        if (!campaign) throw new Error(`the campaign ${key} is not there`);
        const details = await records.decisionSearch.details(campaign);
        const expected = expectedDetails(kind, key, decisions);
        const title = `${kind} ${key}`;
        t.is(campaign.attempts, expected.attempts, title);
        t.deepEqual(details.domains, expected.domains, title);
        t.deepEqual(details.networks, expected.networks, title);
        t.deepEqual(
          new Map(
            details.passedBy
              .map((door) => [`${door.accountId}/${door.route}`, door.attempts] as const)
              .sort(),
          ),
          expected.passedBy,
          title,
        );
        const counts = details.passedBy.map(({ attempts }) => attempts);
        t.deepEqual(
          counts,
          counts.toSorted((a, b) => b - a),
          title,
        );
        t.deepEqual(details.newest.map(({ processedAt }) => processedAt).reverse(), expected.newest, title);
        const sums = LEVELS.map((level) => details.bars.reduce((sum, bar) => sum + bar[level], 0));
        t.deepEqual(sums, expected.levels, title);
        t.true(details.bars.length <= 48);
        const [one, two] = details.bars;
        const inFirst = expected.times.filter((at) => at < (two?.at ?? Number.POSITIVE_INFINITY)).length;
        t.is((one?.low ?? 0) + (one?.medium ?? 0) + (one?.high ?? 0), inFirst, title);
      }
    }
  });

  contract('the preview of an entry counts what the campaign counts', async (t, records) => {
    await Promise.all(crowd().map((decision) => records.decisions.record(decision)));
    for (const kind of ['template', 'domain', 'network', 'device'] as const) {
      const { campaigns } = await records.decisionSearch.campaigns({ ...time, kind });
      for (const campaign of campaigns.slice(0, 4)) {
        const reach = await records.decisionSearch.reach({ ...time, kind, key: campaign.key });
        t.deepEqual(reach, { campaign, searchedBackTo: null });
        t.deepEqual(await records.decisionSearch.campaign({ ...time, kind }, campaign.key), campaign);
      }
      const none = await records.decisionSearch.reach({ ...time, kind, key: "x' OR '1' = '1" });
      t.is(none.campaign, null);
    }
  });

  contract('a refused sender who repeats one attempt counts each time in its bar', async (t, records) => {
    const decision = {
      ...({ door: 'gate', route: 'web', action: 'block', mode: 'enforce', riskLevel: 'high' } as const),
      processedAt: NOON - 5_000,
      identity: { ...decisionWith().identity, template: 'promo' },
    };
    for (let n = 0; n < 8; n++) await records.decisions.record(decisionWith(decision));
    const campaign = await records.decisionSearch.campaign({ ...time, kind: 'template' }, 'promo');
    if (!campaign) throw new Error('the campaign is not there');
    t.like(await records.decisionSearch.details(campaign), {
      bars: [{ at: NOON - 5_000, low: 0, medium: 0, high: 8 }],
      passedBy: [],
      newest: { length: 3 },
    });
  });
}
