import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import type { Finding } from '../../../src/assessment/processor.ts';
import { ANY_DECISION } from '../../../src/storage/decisions/search/decision-filter.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { examination, examinations } from '../../helpers/examinations.ts';
import { decisionWith, NOON } from '../decisions/decision-fixture.ts';
import type { OpenAgain, PrepareStorage } from '../prepare-storage.ts';

const test = anyTest as TestFn;
const MINUTE = 60_000;

type Decision = Parameters<typeof decisionWith>[0];

/** The contract of every engine. */
export function testAttacks(engine: string, prepare: PrepareStorage): void {
  const contract = (title: string, run: (t: ExecutionContext, open: OpenAgain) => Promise<void>) =>
    test(`${engine}: ${title}`, async (t) => run(t, await prepare(t)));

  contract('a pattern that the judge refuses is one event with its name', async (t, open) => {
    const records = await open(() => NOON);
    await sign(records, 30, (i) => ofPattern(i));
    await sign(records, 60, (i) => person(i));
    const found = await records.attacks.detect(NOON);
    t.deepEqual(
      found.map(({ kind, key, name, attempts, mailboxes, stopped }) => ({
        ...{ kind, key, name, attempts, mailboxes, stopped },
      })),
      [
        {
          ...{ kind: 'template', key: 'template-hash', name: 'promo.user#' },
          ...{ attempts: 30, mailboxes: 30, stopped: 29 },
        },
      ],
    );
    t.deepEqual(await records.attacks.within({ from: NOON - 60 * MINUTE, to: NOON + 1 }), found);
    t.deepEqual(await records.attacks.within({ from: NOON + 1, to: NOON + 2 }), []);
  });

  contract('an attack goes on as one event, and is a new one hours later', async (t, open) => {
    const records = await open(() => NOON);
    await sign(records, 30, (i) => ofPattern(i));
    const [begun] = await records.attacks.detect(NOON);
    await sign(records, 30, (i) => ({ ...ofPattern(i + 30), processedAt: NOON + (i + 1) * MINUTE }));
    const [same] = await records.attacks.detect(NOON + 30 * MINUTE);
    t.is(same?.id, begun?.id);
    t.is(same?.attempts, 60);
    t.is(same?.endedAt, NOON + 30 * MINUTE);
    const later = NOON + 300 * MINUTE;
    await sign(records, 30, (i) => ({ ...ofPattern(i), processedAt: later - i * 1_000 }));
    const again = await records.attacks.detect(later);
    t.is(again.length, 1);
    t.not(again[0]?.id, begun?.id);
    t.is(await records.attacks.deleteBefore(later - 60 * MINUTE), 1);
  });

  contract('processes that find the same attack at once store one event', async (t, open) => {
    const [one, other] = [await open(() => NOON), await open(() => NOON)];
    await sign(one, 30, (i) => ofPattern(i));
    const found = await Promise.all([one, other, one, other].map(({ attacks }) => attacks.detect(NOON)));
    const ids = new Set(found.flat().map(({ id }) => id));
    t.is((await one.attacks.within({ from: 0, to: NOON + 1 })).length, 1);
    t.is(ids.size, 1);
  });

  contract('a university, an office, legitimate people and a team of 19 are no attacks', async (t, open) => {
    const records = await open(() => NOON);
    const burst = [{ code: 'domain_burst', evidence: null }] as const;
    await sign(records, 60, (i) => ofDomain(i, 'uni.edu', burst, 'education_email'));
    await sign(records, 19, (i) => ofDomain(i, 'team.example', burst));
    await sign(records, 40, (i) => {
      const colleague = ofDomain(i, 'office.example', burst);
      return {
        ...colleague,
        identity: { ...identityOf(i, 'office'), network: '10.0.0.0/24', domain: 'office.example' },
      };
    });
    await sign(records, 40, (i) => ofDomain(i, 'calm.example', [], 'corporate_email', 'low'));
    await sign(records, 40, (i) => ofDomain(i, 'real.example', burst));
    for await (const chunk of records.decisionSearch.scan({
      ...ANY_DECISION,
      domains: ['real.example'],
    })) {
      for (const { requestId } of chunk) await records.decisionSearch.label(requestId, null, 'legitimate');
    }
    t.deepEqual(await records.attacks.detect(NOON), []);
    await sign(records, 40, (i) => ofDomain(i, 'crowd.example', burst));
    t.deepEqual(
      (await records.attacks.detect(NOON)).map(({ kind, key, attempts }) => [kind, key, attempts]),
      [['domain', 'crowd.example', 40]],
    );
  });

  contract(
    'a finding far above the usual is an event, without the attempts of other events',
    async (t, open) => {
      const records = await open(() => NOON);
      await sign(records, 60, (i) => person(i));
      await sign(records, 40, (i) => overTor(person(i + 100), i));
      await sign(records, 30, (i) => overTor(ofPattern(i), i));
      const found = await records.attacks.detect(NOON);
      t.deepEqual(
        found.map(({ kind, key, attempts }) => [kind, key, attempts]),
        [
          ['template', 'template-hash', 30],
          ['finding', 'tor_ip', 40],
        ],
      );
    },
  );

  contract('a finding as frequent as in the week before is no event', async (t, open) => {
    const records = await open(() => NOON);
    const day = 86_400_000;
    for (let days = 1; days <= 6; days++) {
      await sign(records, 250, (i) => ({ ...overTor(person(i), i), processedAt: NOON - days * day + i }));
    }
    while ((await records.rollups.aggregate()).hasMore);
    await sign(records, 40, (i) => overTor(person(i), i));
    t.deepEqual(await records.attacks.detect(NOON), []);
  });
}

async function sign(records: Storage, count: number, make: (i: number) => Decision): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      records.decisions.record(decisionWith({ processedAt: NOON - (count - i) * 30_000, ...make(i) })),
    ),
  );
}

function identityOf(i: number, who: string) {
  return {
    ...{ mailbox: `${who}-${i}`, spelling: `${who}-${i}`, domain: 'gmail.com', ip: `ip-${who}-${i}` },
    ...{ site: null, network: `10.${who.length}.${i}.0/24`, userAgent: `agent-${i % 5}`, template: null },
    style: 'n.n',
  };
}

function person(i: number): NonNullable<Decision> {
  return {
    identity: identityOf(i, 'person'),
    examinations: examinations({ email: examination('personal_email') }),
  };
}

/** The first one passes. */
function ofPattern(i: number): NonNullable<Decision> {
  const burst: Finding = { code: 'template_burst', evidence: null, fields: { pattern: 'promo.user#' } };
  return {
    identity: { ...identityOf(i, 'robot'), template: 'template-hash' },
    riskLevel: i === 0 ? 'low' : 'medium',
    examinations: examinations({
      email: examination('personal_email'),
      velocity: examination('normal_velocity', burst),
    }),
  };
}

function ofDomain(
  i: number,
  domain: string,
  burst: readonly Finding[],
  classification: 'corporate_email' | 'education_email' = 'corporate_email',
  riskLevel: 'low' | 'medium' = 'medium',
): NonNullable<Decision> {
  return {
    identity: { ...identityOf(i, domain), domain },
    riskLevel,
    examinations: examinations({
      email: examination(classification),
      velocity: examination('normal_velocity', ...burst),
    }),
  };
}

function overTor(decision: NonNullable<Decision>, i: number): NonNullable<Decision> {
  return {
    ...decision,
    riskLevel: i % 10 === 0 ? 'high' : 'medium',
    examinations: {
      ...examinations(decision.examinations),
      ip_address: examination('unclassified_ip', 'tor_ip'),
    },
  };
}
