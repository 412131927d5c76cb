import test from 'ava';
import { createAttemptOutcome } from '../../../src/assessment/attempt.ts';
import type { Examination } from '../../../src/assessment/processor.ts';
import { REASONS } from '../../../src/assessment/reasons.ts';
import type { Counters } from '../../../src/counters/counters.ts';
import { createMemoryCounters } from '../../../src/counters/memory-counters.ts';
import type { VelocityLimits } from '../../../src/processors/velocity/velocity-limits.ts';
import { createVelocityProcessor } from '../../../src/processors/velocity/velocity-processor.ts';
import { verifiedSignupOf } from '../../../src/processors/velocity/verified-signup.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { attemptOf, type Signup } from './attempts.ts';
import { knownNetworks } from './known-networks.ts';

/** The defaults, but for the limit of an address: at the default it coincides with that of a network. */
const defaultLimits = { ...defaultConfig.scoring.velocity, ip: { per_hour: 10, per_day: 40 } };

const START = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;

/** Examines signups in a row with their own counters; returns all results. */
function examineAll(
  signups: readonly Signup[],
  limits: VelocityLimits = defaultLimits,
): readonly Examination[] {
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits });
  return signups.map((signup) => {
    const examination = processor.examine(attemptOf(signup));
    if (examination instanceof Promise) throw new Error('memory answers at once');
    return examination;
  });
}

const perHour = (dimension: string, count: number, limit: number) => ({
  ...{ dimension, count, limit, window: 'per_hour' },
});
const codes = (examination: Examination | undefined) => examination?.findings.map(({ code }) => code) ?? [];
const many = (count: number, signup: (i: number) => Omit<Signup, 'at'>): readonly Signup[] =>
  Array.from({ length: count }, (_, i) => ({ ...signup(i), at: START + i * 1000 }));

/** Mailboxes that share nothing but their provider. */
const stranger = (i: number) =>
  `${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${'person'.slice(i % 6)}.${WORDS[i % 7]}${WORDS[(i * 3) % 7]}@gmail.com`;
const WORDS = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo'];
const differentNetwork = (i: number) => `81.1.${i}.9`;

test('a person who corrects a mistyped address counts as one mailbox', (t) => {
  const limits = {
    ...defaultLimits,
    ip: { per_hour: 10 },
    subnet: { per_hour: 10 },
    device: { per_hour: 10 },
  };
  const people = (isCorrection: boolean) =>
    many(9, (i) => ({ email: stranger(i), ip: '81.1.0.1' })).flatMap((signup) => {
      const typed = signup.email?.replace('@gmail', '@gmial') ?? '';
      return [
        { ...signup, email: typed },
        { ...signup, ...(isCorrection && { corrects: typed }) },
      ];
    });
  t.deepEqual(codes(examineAll(people(true), limits).at(-1)), ['elevated_velocity']);
  t.true(codes(examineAll(people(false), limits).at(-1)).includes('ip_burst'));
});

test('a first signup has ordinary velocity', (t) => {
  t.deepEqual(examineAll([{ email: 'someone@gmail.com', ip: '81.1.0.1', at: START }]), [
    { classification: 'normal_velocity', evidence: null, findings: [], incomplete: null },
  ]);
});

test('one address is elevated from half its limit, a burst at it, and decisive at three times it', (t) => {
  const said = examineAll(many(31, (i) => ({ email: stranger(i), ip: '81.1.0.1', userAgent: null })));
  t.deepEqual(codes(said[3]), []);
  t.deepEqual(said[4]?.findings, [
    {
      code: 'elevated_velocity',
      evidence: '5 mailboxes from one address in an hour, limit 10',
      fields: perHour('ip', 5, 10),
    },
  ]);
  t.deepEqual(said[9]?.findings, [
    {
      code: 'ip_burst',
      evidence: '10 mailboxes from one address in an hour, limit 10',
      fields: perHour('ip', 10, 10),
    },
  ]);
  t.deepEqual(codes(said[11]), ['ip_burst', 'subnet_burst']);
  t.true(said[28]?.findings.every(({ decisive }) => decisive === undefined));
  const [burst, ...others] = said[29]?.findings ?? [];
  t.like(burst, { code: 'ip_burst', decisive: true });
  t.false('shared' in (burst ?? {}));
  t.true(others.every(({ decisive, shared }) => decisive === undefined && shared === true));
});

test('shared values do not hide the sender’s own burst', (t) => {
  const said = examineAll([
    ...many(9, (i) => ({ email: stranger(i), ip: `81.1.0.${i + 10}`, userAgent: null })),
    ...many(6, (i) => ({ email: stranger(i + 9), ip: '81.1.0.1', userAgent: null })),
  ]);
  t.deepEqual(said[14]?.findings, [
    {
      code: 'subnet_burst',
      evidence: '15 mailboxes from one network in an hour, limit 12',
      fields: perHour('subnet', 15, 12),
      shared: true,
    },
    {
      code: 'elevated_velocity',
      evidence: '6 mailboxes from one address in an hour, limit 10',
      fields: perHour('ip', 6, 10),
    },
  ]);
});

test('a person who retries is not a burst, in any spelling of the case', (t) => {
  const said = examineAll(
    many(40, (i) => ({ email: i % 2 ? 'Some.One@web.de' : 'some.one@web.de', ip: '81.1.0.1' })),
  );
  t.deepEqual(said.flatMap(codes), []);
});

test('neighbours in a /24 add up to a subnet burst', (t) => {
  const said = examineAll(
    many(12, (i) => ({ email: stranger(i), ip: `81.1.0.${i + 1}`, userAgent: `agent ${i}` })),
  );
  t.deepEqual(codes(said[10]), ['elevated_velocity']);
  t.deepEqual(said[11]?.findings, [
    {
      code: 'subnet_burst',
      evidence: '12 mailboxes from one network in an hour, limit 12',
      fields: perHour('subnet', 12, 12),
      shared: true,
    },
  ]);
});

test('a /64 counts as one address and a /48 as one network', (t) => {
  const site = examineAll(
    many(10, (i) => ({ email: stranger(i), ip: `2a02:1:2:3::${i + 1}`, userAgent: null })),
  );
  t.deepEqual(site[9]?.findings, [
    {
      code: 'ip_burst',
      evidence: '10 mailboxes from one /64 in an hour, limit 10',
      fields: perHour('site', 10, 10),
    },
  ]);
  const network = examineAll(
    many(12, (i) => ({ email: stranger(i), ip: `2a02:1:2:${i + 1}::1`, userAgent: null })),
  );
  t.deepEqual(network[11]?.findings, [
    {
      code: 'subnet_burst',
      evidence: '12 mailboxes from one network in an hour, limit 12',
      fields: perHour('subnet', 12, 12),
      shared: true,
    },
  ]);
});

test('spellings of one mailbox are mailbox reuse', (t) => {
  const spellings = [
    'jo.hn@gmail.com',
    'j.ohn@gmail.com',
    'john+a@gmail.com',
    'joh.n@googlemail.com',
    'john+b@gmail.com',
  ];
  const said = examineAll(many(5, (i) => ({ email: spellings[i] ?? null, ip: differentNetwork(i) })));
  t.deepEqual(codes(said[1]), ['elevated_velocity']);
  t.deepEqual(said[3]?.findings, [
    {
      code: 'mailbox_reuse',
      evidence: '4 spellings of one mailbox in an hour, limit 4',
      fields: perHour('mailbox', 4, 4),
      shared: true,
    },
  ]);
});

test('mailboxes of one domain from many places are a domain burst', (t) => {
  const said = examineAll(
    many(10, (i) => ({ email: `${stranger(i).split('@')[0]}@catch-all.io`, ip: differentNetwork(i) })),
  );
  t.deepEqual(said[9]?.findings, [
    {
      code: 'domain_burst',
      evidence: '10 mailboxes of one domain in an hour, limit 10',
      fields: perHour('domain', 10, 10),
      shared: true,
    },
  ]);
});

test('providers open to everyone and relays are no domain', (t) => {
  for (const domain of ['gmail.com', 'gmx.de', 'privaterelay.appleid.com']) {
    const said = examineAll(
      many(40, (i) => ({
        email: `${WORDS[i % 7]}${stranger(i).split('@')[0]}@${domain}`,
        ip: differentNetwork(i),
      })),
    );
    t.deepEqual(said.flatMap(codes), [], domain);
  }
});

test('one user agent in one network is a device, the same one everywhere is not', (t) => {
  const near = examineAll(many(10, (i) => ({ email: stranger(i), ip: `81.1.0.${i + 1}` })));
  t.deepEqual(near[9]?.findings, [
    {
      code: 'device_burst',
      evidence: '10 mailboxes from one device in an hour, limit 10',
      fields: perHour('device', 10, 10),
      shared: true,
    },
  ]);
  const far = examineAll(
    many(200, (i) => ({
      email: `${WORDS[i % 7]}x${i % 26}y@shop-${'q'.repeat(i % 50)}${i}.de`,
      ip: differentNetwork(i),
    })),
  );
  t.false(far.flatMap(codes).includes('device_burst'));
});

test('one pattern of local parts from everywhere is a template burst', (t) => {
  const said = examineAll(
    many(12, (i) => ({
      email: `promo${1000 + i}@${i % 2 ? 'gmail.com' : 'gmx.de'}`,
      ip: differentNetwork(i),
    })),
  );
  t.deepEqual(said[11]?.findings, [
    {
      code: 'template_burst',
      evidence: '12 mailboxes of one pattern in an hour, limit 12',
      fields: { ...perHour('template', 12, 12), pattern: 'promo#' },
      shared: true,
    },
  ]);
});

test('numbered mailboxes of one university are not a template, those of many domains are', (t) => {
  const students = examineAll(
    many(40, (i) => ({ email: `s${61000 + i}@uni-bonn.de`, ip: differentNetwork(i) })),
  );
  t.false(students.flatMap(codes).includes('template_burst'));
  const domains = examineAll(
    many(12, (i) => ({ email: `s${61000 + i}@shop-${i}.de`, ip: differentNetwork(i) })),
  );
  t.deepEqual(codes(domains[11]), ['template_burst']);
});

const SHARED = [
  ['a mobile carrier', '81.2.0.1', 'mobile carrier'],
  ['a university', '81.3.0.1', 'university network'],
  ['a privacy relay', '81.7.0.1', 'privacy relay'],
  ['a network of a privacy relay', '81.9.0.1', 'privacy relay'],
  ['a proxy that hides addresses', '10.0.0.1', 'private address'],
] as const;
for (const [who, ip, why] of SHARED) {
  test(`40 people an hour behind ${who} are no burst, and no number of them is decisive`, (t) => {
    const said = examineAll(
      many(400, (i) => ({
        email: `p${'x'.repeat(i % 40)}.${WORDS[i % 7]}@gmail.com`.replace('p.', `${i}.`),
        ip,
      })),
    );
    const people = new Set(said.slice(0, 40).flatMap(codes));
    people.delete('elevated_velocity');
    t.deepEqual([...people], []);
    const crowd = said.at(-1)?.findings ?? [];
    t.true(
      crowd.some(({ code, evidence }) => code === 'ip_burst' && evidence?.endsWith(`limit 50 (${why})`)),
    );
    t.true(crowd.every(({ decisive, shared }) => decisive === undefined && shared === true));
  });
}

test('a VPN has twice the limit and is never decisive', (t) => {
  const said = examineAll(
    many(70, (i) => ({ email: `${'x'.repeat(i % 40)}y${WORDS[i % 7]}@gmail.com`, ip: '81.4.0.1' })),
  );
  t.deepEqual(
    codes(said[18]).filter((code) => code !== 'elevated_velocity'),
    [],
  );
  t.true(said.at(-1)?.findings.some(({ evidence }) => evidence?.includes('(VPN)')));
  t.true(said.at(-1)?.findings.every(({ decisive, shared }) => decisive === undefined && shared === true));
});

test('a company in one office has wider limits, a crowd at the same address has not', (t) => {
  const office = examineAll(
    many(21, (i) => ({ email: `${stranger(i).split('@')[0]}@corp.de`, ip: '81.6.0.1' })),
    defaultConfig.scoring.velocity,
  );
  t.deepEqual(codes(office[19]), ['elevated_velocity']);
  t.deepEqual(codes(office[20]), ['ip_burst', 'subnet_burst', 'device_burst', 'domain_burst']);
  t.is(
    office[20]?.findings[0]?.evidence,
    '21 mailboxes from one address in an hour, limit 21 (one company at one place)',
  );
  const crowd = examineAll(many(10, (i) => ({ email: stranger(i), ip: '81.6.0.1' })));
  t.true(codes(crowd[9]).includes('ip_burst'));
});

test('an office in a data centre, behind Tor, or of numbered mailboxes does not count as an office', (t) => {
  for (const [ip, name] of [
    ['81.5.0.1', 'x'],
    ['81.8.0.1', 'x'],
    ['81.6.0.1', 'x1'],
  ] as const) {
    const said = examineAll(many(10, (i) => ({ email: `${name}${'y'.repeat(i)}${name}@corp.de`, ip })));
    t.true(codes(said[9]).includes('ip_burst'), ip);
  }
});

test('a university’s or government’s domain has wider limits', (t) => {
  for (const domain of ['uni-bonn.de', 'mit.edu', 'cabinet.gov.uk']) {
    const said = examineAll(
      many(40, (i) => ({ email: `${stranger(i).split('@')[0]}@${domain}`, ip: differentNetwork(i) })),
    );
    t.false(said.flatMap(codes).includes('domain_burst'), domain);
  }
});

test('only one address and one /64 are decisive, however often any other value is seen', (t) => {
  const floods: readonly (readonly [code: string, signup: (i: number) => Omit<Signup, 'at'>])[] = [
    ['mailbox_reuse', (i) => ({ email: `john+${i}@gmail.com`, ip: differentNetwork(i) })],
    [
      'domain_burst',
      (i) => ({ email: stranger(i).replace('gmail.com', 'corp.de'), ip: differentNetwork(i) }),
    ],
    ['template_burst', (i) => ({ email: `promo${1000 + i}@shop-${i}.de`, ip: differentNetwork(i) })],
    ['device_burst', (i) => ({ email: stranger(i), ip: `81.1.0.${i % 250}` })],
    ['subnet_burst', (i) => ({ email: stranger(i), ip: `2a02:1:2:${i.toString(16)}::1`, userAgent: null })],
  ];
  for (const [code, signup] of floods) {
    const findings = examineAll(many(250, signup)).flatMap(({ findings }) => findings);
    t.true(
      findings.some((finding) => finding.code === code),
      code,
    );
    t.true(
      findings.every(({ decisive, shared }) => decisive === undefined && shared === true),
      code,
    );
  }
});

test('a flooded Tor exit or proxy is shared with all its users', (t) => {
  const said = examineAll(many(100, (i) => ({ email: stranger(i), ip: '81.8.0.1' })));
  const burst = said.at(-1)?.findings.find(({ code }) => code === 'ip_burst');
  t.like(burst, { shared: true });
  t.true(burst?.evidence?.endsWith('limit 10 (Tor)'));
});

test('students of one university behind one ordinary address are not a burst of one sender', (t) => {
  const said = examineAll(many(400, (i) => ({ email: `s${61000 + i}@uni-bonn.de`, ip: '81.6.0.1' })));
  t.false(said.slice(0, 49).flatMap(codes).includes('ip_burst'));
  t.true(said.flatMap(({ findings }) => findings).every(({ decisive, shared }) => !decisive && shared));
});

test('a refused attempt fills the windows of address and network, not those of claimed values', (t) => {
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits: defaultLimits });
  const examine = (signup: Signup, isRefused: boolean) => {
    const outcome = createAttemptOutcome();
    const said = processor.examine(attemptOf(signup), outcome) as Examination;
    outcome.settle(isRefused);
    return codes(said);
  };
  for (let i = 0; i < 100; i++) {
    examine({ email: `promo${1000 + i}@corp.de`, ip: '81.1.7.1', at: START + i }, true);
    examine({ email: `jane+${i}@gmail.com`, ip: '81.1.7.1', at: START + i }, true);
  }
  const owner = { email: 'jane@gmail.com', ip: '81.1.9.1', at: START + MINUTE };
  t.deepEqual(examine(owner, false), []);
  t.deepEqual(examine({ ...owner, email: 'promo7@corp.de', ip: '81.1.10.1' }, false), []);
  t.deepEqual(examine({ ...owner, email: 'other@web.de', ip: '81.1.7.2', userAgent: null }, false), [
    'subnet_burst',
  ]);
  t.true(examine({ ...owner, email: 'other@web.de', ip: '81.1.7.1' }, false).includes('ip_burst'));
});

test('accounts do not see one another’s traffic', (t) => {
  const said = examineAll(
    many(40, (i) => ({ email: stranger(i), ip: '81.1.0.1', scope: `account ${i % 10}` })),
  );
  t.deepEqual(said.flatMap(codes), []);
});

test('a flood without mailboxes shows, a person who forgets the address a few times does not', (t) => {
  const person = examineAll(
    Array.from({ length: 4 }, (_, i) => ({ email: null, ip: '81.1.0.1', at: START + i * 20_000 })),
  );
  t.deepEqual(person.flatMap(codes), []);
  const flood = examineAll(
    Array.from({ length: 600 }, (_, i) => ({ email: null, ip: '81.1.0.1', at: START + i * 200 })),
  );
  t.true(codes(flood.at(-1)).includes('ip_burst'));
});

test('a burst is forgotten when its window is over', (t) => {
  const burst = many(20, (i) => ({ email: stranger(i), ip: '81.1.0.1' }));
  const said = examineAll([...burst, { email: 'later@gmail.com', ip: '81.1.0.1', at: START + 62 * MINUTE }]);
  t.true(codes(said[19]).includes('ip_burst'));
  t.deepEqual(codes(said[20]), ['elevated_velocity']);
});

test('the operator’s limits count, and a missing window has no limit', (t) => {
  const limits = { ...defaultLimits, ip: { per_minute: 3 }, subnet: {}, device: {} };
  const quick = examineAll(
    many(3, (i) => ({ email: stranger(i), ip: '81.1.0.1' })),
    limits,
  );
  t.deepEqual(codes(quick[2]), ['ip_burst']);
  const slow = Array.from({ length: 30 }, (_, i) => ({
    email: stranger(i),
    ip: '81.1.0.1',
    at: START + i * MINUTE,
  }));
  t.deepEqual(examineAll(slow, limits).flatMap(codes), []);
});

test('one mailbox alone is not a burst even under a limit of one', (t) => {
  const limits = { ...defaultLimits, ip: { per_hour: 1 } };
  const said = examineAll(
    many(2, (i) => ({ email: stranger(i), ip: '81.1.0.1' })),
    limits,
  );
  t.deepEqual(said.map(codes), [[], ['ip_burst']]);
});

test('the evidence names no local part and no address', (t) => {
  const said = examineAll(many(60, (i) => ({ email: `secret${i}@private.de`, ip: '81.1.0.77' })));
  const texts = said.flatMap(({ findings }) => findings.map(({ evidence }) => evidence ?? ''));
  t.true(texts.length > 100);
  t.false(texts.some((text) => /secret|81\.1|@/.test(text) || text.length > 200));
});

test('one burst makes the factor high with the default points, elevated velocity leaves it low', (t) => {
  const base = REASONS.normal_velocity.base;
  for (const code of [
    'ip_burst',
    'subnet_burst',
    'domain_burst',
    'mailbox_reuse',
    'device_burst',
    'template_burst',
  ] as const) {
    t.true(base - REASONS[code].points < 40, code);
  }
  t.true(base - REASONS.elevated_velocity.points >= 70);
});

test('counters that answer later are waited for, and their failure is passed on', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 1024, membersPerKey: 64 });
  const remote: Counters = {
    ...memory,
    observe: async (observations, now) => memory.observe(observations, now),
  };
  const processor = createVelocityProcessor({
    counters: remote,
    datasets: knownNetworks,
    limits: defaultLimits,
  });
  const said = await Promise.all(
    many(10, (i) => ({ email: stranger(i), ip: '81.1.0.1' })).map((s) => processor.examine(attemptOf(s))),
  );
  t.true(codes(said[9]).includes('ip_burst'));
  const broken: Counters = { ...memory, observe: () => Promise.reject(new Error('gone')) };
  const failing = createVelocityProcessor({
    counters: broken,
    datasets: knownNetworks,
    limits: defaultLimits,
  });
  await t.throwsAsync(
    async () => failing.examine(attemptOf({ email: 'a@gmail.com', ip: '81.1.0.1', at: START })),
    {
      message: 'gone',
    },
  );
});

test('where shared counters do not answer, the counts of this node are used and the examination says so', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  const away: Counters = {
    ...memory,
    observe: async (observations, now) =>
      memory.observe(observations, now).map((counts) => ({ ...counts, localBecause: 'timeout' })),
  };
  const processor = createVelocityProcessor({
    ...{ counters: away, datasets: knownNetworks, limits: defaultLimits },
  });
  const examinations = await Promise.all(
    many(10, (i) => ({ email: stranger(i), ip: '81.1.0.1', userAgent: null })).map((signup) =>
      processor.examine(attemptOf(signup)),
    ),
  );
  t.true(examinations.every(({ incomplete }) => incomplete === 'counters: timeout'));
  t.true(codes(examinations.at(-1)).includes('ip_burst'));
});

/** Examines signups where so many mailboxes were verified before, on days before. */
function examineWhereVerified(
  count: number,
  signups: readonly Signup[],
  { scope = 'gate' }: { readonly scope?: string } = {},
): readonly Examination[] {
  const limits = defaultConfig.scoring.velocity;
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const [first] = signups;
  if (!first) return [];
  for (let i = 0; i < count; i++) {
    const at = START - Math.floor(i / 4) * DAY;
    const { identity } = attemptOf({
      ...first,
      at,
      scope,
      email: `verified.${i}@${first.email?.split('@')[1]}`,
    });
    const concluded = { identity, scope, processedAt: at, concludedAt: at };
    const signup = verifiedSignupOf(
      { ...concluded, outcome: 'verified', label: null, codes: [] },
      knownNetworks.current.email,
    );
    if (signup) counters.verified.learn(signup);
  }
  const processor = createVelocityProcessor({ counters, datasets: knownNetworks, limits });
  return signups.map((signup) => processor.examine(attemptOf(signup)) as Examination);
}
const DAY = 86_400_000;

test('limits of an address and its network grow with the mailboxes that were verified there', (t) => {
  const people = many(40, (i) => ({
    ...{ email: `${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${WORDS[i % 7]}${i}@gmail.com`, ip: '81.1.0.1' },
    userAgent: `browser ${i % 8}`,
  }));
  const bursts = (said: readonly Examination[]) =>
    said.filter((one) => codes(one).some((code) => code === 'ip_burst' || code === 'subnet_burst')).length;
  t.is(bursts(examineWhereVerified(0, people)), 29);
  t.is(bursts(examineWhereVerified(3, people)), 17);
  t.is(bursts(examineWhereVerified(12, people)), 0);
  const said = examineWhereVerified(3, people);
  const burst = said[23]?.findings.find(({ code }) => code === 'ip_burst');
  t.is(
    burst?.evidence,
    '24 mailboxes from one address in an hour, limit 24 (usually 12; 3 mailboxes were recently verified there)',
  );
  t.deepEqual(burst?.fields, { ...perHour('ip', 24, 24), verified: 3, usual_limit: 12 });
  t.is(bursts(examineWhereVerified(12, people, { scope: 'another account' })), 29, 'sites share nothing');
});

test('a hundred verified mailboxes make a limit five times as high, not more', (t) => {
  const people = many(61, (i) => ({ email: stranger(i).replace('@', `${i}@`), ip: '81.1.0.1' }));
  const said = examineWhereVerified(100, people);
  t.false(codes(said[58]).includes('ip_burst'));
  t.true(codes(said[59]).includes('ip_burst'));
});

test('limits of a domain grow with its verified mailboxes, wherever its people are', (t) => {
  const colleagues = many(30, (i) => ({
    ...{ email: `${stranger(i).split('@')[0]}@corp.de`, ip: differentNetwork(i), userAgent: `browser ${i}` },
  }));
  const bursts = (said: readonly Examination[]) =>
    said.filter((one) => codes(one).includes('domain_burst')).length;
  t.is(bursts(examineWhereVerified(0, colleagues)), 21);
  t.is(bursts(examineWhereVerified(8, colleagues)), 0);
});

test('in a data centre, behind a VPN or Tor no limit grows', (t) => {
  for (const ip of ['81.4.0.1', '81.5.0.1', '81.8.0.1']) {
    const people = many(26, (i) => ({ email: stranger(i).replace('@', `${i}@`), ip }));
    const plain = examineWhereVerified(0, people).map(codes);
    t.deepEqual(examineWhereVerified(16, people).map(codes), plain, ip);
  }
});

test('limits that shall not grow do not', (t) => {
  const limits = {
    ...defaultConfig.scoring.velocity,
    verified: { step: null, per_day: 4, times_at_most: 5 },
  };
  const counters = createMemoryCounters({ maxKeysPerDimension: 4096, membersPerKey: 512 });
  const counted = { ...counters, verified: { learn: () => {}, countOf: () => 100 } };
  const processor = createVelocityProcessor({ counters: counted, datasets: knownNetworks, limits });
  const people = many(12, (i) => ({ email: stranger(i).replace('@', `${i}@`), ip: '81.1.0.1' }));
  const said = people.map((signup) => processor.examine(attemptOf(signup)) as Examination);
  t.true(codes(said[11]).includes('ip_burst'));
});

test('the mail server that another processor asks for is waited for, and its answer is counted', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  const seen: string[][] = [];
  const counters: Counters = {
    ...memory,
    cohorts: {
      ...memory.cohorts,
      observe(sighting, now, options) {
        seen.push(sighting.cells.map(({ kind, style }) => `${kind} ${style}`));
        return memory.cohorts.observe(sighting, now, options);
      },
    },
  };
  const answers = [Promise.resolve('hoster.com'), 'ionos.de', null];
  const processor = createVelocityProcessor({
    ...{ counters, datasets: knownNetworks, limits: defaultLimits },
    mailServers: { of: () => answers.shift() ?? null },
  });
  const examine = (domain: string) =>
    processor.examine(attemptOf({ email: `anna@${domain}`, ip: '81.1.0.1', at: START }));
  const waited = examine('one.de');
  t.true(waited instanceof Promise);
  t.deepEqual(seen, []);
  await waited;
  t.false(examine('two.de') instanceof Promise);
  t.false(examine('three.de') instanceof Promise);
  t.deepEqual(
    seen.map((cells) => cells.filter((cell) => cell.startsWith('mail_server'))),
    [['mail_server mx:hoster.com'], ['mail_server mx:ionos.de'], []],
  );
});

test('an attempt that is refused before its mail server is known fills no style', async (t) => {
  const memory = createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 });
  const takenBack: string[] = [];
  const counters: Counters = {
    ...memory,
    cohorts: { ...memory.cohorts, takeBack: (scope) => void takenBack.push(scope) },
  };
  const processor = createVelocityProcessor({
    ...{ counters, datasets: knownNetworks, limits: defaultLimits },
    mailServers: { of: () => Promise.resolve('hoster.com') },
  });
  const outcome = createAttemptOutcome();
  const examined = processor.examine(attemptOf({ email: 'a@one.de', ip: '81.1.0.1', at: START }), outcome);
  outcome.settle(true);
  await examined;
  t.deepEqual(takenBack, ['gate']);
});
