import test from 'ava';
import type { Signup } from './attempts.ts';
import { codes, differentNetwork, examineAll, many, perHour, stranger, WORDS } from './examine-signups.ts';

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

test('a pattern counts with any separators, which a generator can change', (t) => {
  const separators = ['.', '_', '-'];
  const said = examineAll(
    many(12, (i) => {
      const [first = '', second = ''] = [separators[i % 3], separators[(i >> 1) % 3]];
      return { email: `trial${first}user${second}${1001 + i}@gmail.com`, ip: differentNetwork(i) };
    }),
  );
  t.deepEqual(codes(said[11]), ['template_burst']);
  const inOneWord = examineAll(
    many(12, (i) => ({
      email: `trialuser${separators[i % 4] ?? ''}${1001 + i}@gmail.com`,
      ip: differentNetwork(i),
    })),
  );
  t.deepEqual(codes(inOneWord[11]), ['template_burst']);
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
