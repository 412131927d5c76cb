import test from 'ava';
import { ListIssuesError } from '../../src/lists/list-requests.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';

import { addAndRemoveAtOnce, jane, openProcesses, request, until } from './list-processes.ts';

test.serial(
  'an entry holds as soon as adding it is answered, and no longer once it is removed',
  async (t) => {
    const { open } = await openProcesses(t);
    const { lists, verdicts } = await open();
    t.deepEqual(verdicts('a@deep.bad.example'), []);
    const { entries } = await lists.add([request('Bad.example')], jane);
    t.deepEqual(verdicts('a@deep.bad.example'), ['denylisted_email']);
    t.like(entries[0], { value: 'bad.example', authorName: 'jane' });
    t.like(await lists.remove(entries[0]?.id ?? 0, jane), { value: 'bad.example' });
    t.deepEqual(verdicts('a@deep.bad.example'), []);
    t.is(await lists.remove(entries[0]?.id ?? 0, jane), null);
  },
);

test.serial(
  'every kind of entry is matched, a mailbox in all its spellings and by its pseudonym',
  async (t) => {
    const { open } = await openProcesses(t);
    const { lists, verdicts, records } = await open();
    const texts = ['jane.doe@gmail.com', '203.0.113.0/24', '2001:db8::/32', 'AS64500', 'XK'];
    const { entries } = await lists.add(
      texts.map((text) => request(text, { list: 'allow' })),
      jane,
    );
    t.deepEqual(verdicts('janedoe+x@googlemail.com', '203.0.113.9'), ['allowlisted_email', 'allowlisted_ip']);
    t.deepEqual(verdicts('a@b.example', '2001:db8:9::1'), ['allowlisted_ip']);
    t.deepEqual(
      entries.map(({ kind }) => kind),
      ['mailbox', 'network', 'network', 'asn', 'country'],
    );
    const [mailbox] = entries;
    t.is(mailbox?.typed, 'jane.doe@gmail.com');
    t.false(mailbox?.value.includes('@'));
    for (const { id } of entries) await lists.remove(id, jane);
    t.deepEqual(verdicts('janedoe@gmail.com', '203.0.113.9'), []);
    const fromDecision = { list: 'deny', subject: { mailboxPseudonym: mailbox?.value ?? '' } } as const;
    await lists.add([{ ...fromDecision, note: null, expiresAt: null }], jane);
    t.deepEqual(verdicts('j.a.n.e.doe@gmail.com'), ['denylisted_email']);
    const log = JSON.stringify(await records.audit.page({ before: null, limit: 100 }));
    t.false(/jane\.?doe/.test(log), 'the audit log names no person');
  },
);

test.serial('another process follows an addition and a removal', async (t) => {
  const { open } = await openProcesses(t);
  const [one, other] = [await open(), await open()];
  const { entries } = await one.lists.add([request('bad.example')], jane);
  t.deepEqual(
    await until(
      () => other.verdicts('a@bad.example'),
      (codes) => codes.length === 1,
    ),
    ['denylisted_email'],
  );
  await one.lists.remove(entries[0]?.id ?? 0, jane);
  t.deepEqual(
    await until(
      () => other.verdicts('a@bad.example'),
      (codes) => codes.length === 0,
    ),
    [],
  );
  t.is(other.lists.rules.revision, one.lists.rules.revision);
});

test.serial('entries are there again when the process starts again', async (t) => {
  const { open } = await openProcesses(t);
  const first = await open();
  await first.lists.add(
    Array.from({ length: 2_100 }, (_, i) => request(`d${i}.example`)),
    jane,
  );
  const second = await open();
  t.deepEqual(second.verdicts('a@d2099.example'), ['denylisted_email']);
  t.is(second.lists.rules.deny.size, 2_100);
  t.is(second.lists.rules.revision, first.lists.rules.revision);
});

test.serial(
  'an entry with an end stops at that millisecond, and then leaves memory and revision',
  async (t) => {
    const { open, setTime } = await openProcesses(t);
    const { lists, verdicts } = await open();
    await lists.add([request('bad.example', { expiresAt: NOON + 60_000 })], jane);
    const whileThere = lists.rules.revision;
    setTime(NOON + 59_999);
    t.deepEqual(verdicts('a@bad.example'), ['denylisted_email']);
    setTime(NOON + 60_000);
    t.deepEqual(verdicts('a@bad.example'), []);
    await until(
      () => lists.rules.deny.size,
      (size) => size === 0,
    );
    t.is(lists.rules.revision, '');
    await lists.add([request('bad.example', { expiresAt: NOON + 90_000 })], jane);
    t.deepEqual(verdicts('a@bad.example'), ['denylisted_email']);
    t.is(lists.rules.revision, whileThere);
  },
);

test.serial('the revision depends on the content only, not on earlier changes', async (t) => {
  const { open } = await openProcesses(t);
  const { lists } = await open();
  t.is(lists.rules.revision, '');
  const one = await lists.add([request('one.example')], jane);
  const withOne = lists.rules.revision;
  t.regex(withOne, /^[0-9a-f]{12}$/);
  await lists.add([request('two.example')], jane);
  t.not(lists.rules.revision, withOne);
  await lists.remove(one.entries[0]?.id ?? 0, jane);
  await lists.add([request('one.example', { note: 'again' })], jane);
  const page = await lists.page({ after: null, limit: 10, filter: { text: 'two' } });
  await lists.remove(page[0]?.id ?? 0, jane);
  t.is(lists.rules.revision, withOne);
});

test.serial('mistakes are all told, and nothing is added', async (t) => {
  const { open } = await openProcesses(t);
  const { lists } = await open();
  const requests = [
    request('good.example'),
    request('10.0.0.1/8'),
    request('xk'),
    request('no such thing'),
    request('late.example', { expiresAt: NOON }),
    request('noted.example', { note: 'x'.repeat(501) }),
    { ...request(''), subject: { mailboxPseudonym: "' OR 1=1 --" } },
  ];
  const error = await t.throwsAsync(lists.add(requests, jane), { instanceOf: ListIssuesError });
  t.deepEqual(
    error?.issues.map(({ index }) => index),
    [1, 2, 3, 4, 5, 6],
  );
  t.regex(
    error?.message ?? '',
    /2: .*bits beyond the prefix.*\n3: .*two capitals, "XK".*\n4: .*bad\.example/,
  );
  t.is(await lists.count(), 0);
  const many = Array.from({ length: 5_001 }, () => request('a.example'));
  await t.throwsAsync(lists.add(many, jane), { message: /at most 5000 entries at once/ });
});

for (const [text, expected] of [
  ['10.0.0.1/8', 'the bits beyond the prefix length must be zero, as in 10.0.0.0/8.'],
  ['2001:db8::1/32', 'the bits beyond the prefix length must be zero, as in 2001:db8::/32.'],
  ['203.0.113.0/99', 'the prefix of an IPv4 address has at most 32 bits.'],
  ['2001:db8::/129', 'the prefix of an IPv6 address has at most 128 bits.'],
  ['300.0.113.0/24', 'Write an address and the length of its prefix, as in 203.0.113.0/24.'],
  ['*.bad.example', 'A domain (bad.example) covers its subdomains'],
] as const) {
  test.serial(`the mistake in the entry "${text}" is named`, async (t) => {
    const { open } = await openProcesses(t);
    const { lists } = await open();
    const error = await t.throwsAsync(lists.add([request(text)], jane), { instanceOf: ListIssuesError });
    t.true(error?.message.includes(expected), error?.message);
  });
}

test.serial('of several entries for one subject the last counts', async (t) => {
  const { open } = await openProcesses(t);
  const { lists } = await open();
  const { entries } = await lists.add(
    [request('bad.example', { note: 'first' }), request('BAD.example', { note: 'last' })],
    jane,
  );
  t.deepEqual(
    entries.map(({ note }) => note),
    ['last'],
  );
});

const NOTICES: readonly (readonly [text: string, list: 'allow' | 'deny', notice: RegExp])[] = [
  ['deep.bad.example', 'deny', /^deep\.bad\.example is denied through bad\.example already\.$/],
  ['bad.example', 'allow', /^bad\.example is denied: deny wins, it stays denied\.$/],
  ['jane@bad.example', 'allow', /^jane@bad\.example is denied through bad\.example: deny wins/],
  [
    'good.example',
    'deny',
    /^good\.example is allowed by the configuration: deny wins, from now on it is denied\.$/,
  ],
  [
    '203.0.113.7',
    'deny',
    /^203\.0\.113\.7 is denied through 203\.0\.113\.0\/24 by the configuration already\.$/,
  ],
  ['joe@shop.example', 'allow', /^joe@shop\.example is denied: deny wins/],
  ['gmail.com', 'deny', /^gmail\.com is a large mail provider: everyone with a mailbox there is denied\.$/],
  ['co.uk', 'deny', /^co\.uk is a public suffix/],
  ['10.0.0.0/8', 'deny', /^10\.0\.0\.0\/8 is a very wide network/],
  ['pattern:~alnum:10', 'deny', /^The pattern 10 mixed letters and digits has no fixed text/],
];

for (const [text, list, notice] of NOTICES) {
  test.serial(`adding ${text} to the ${list} list reports overlaps and wide entries`, async (t) => {
    const { open } = await openProcesses(t, { allow: ['good.example'], deny: ['203.0.113.0/24'] });
    const { lists } = await open();
    t.deepEqual((await lists.add([request('bad.example'), request('joe@shop.example')], jane)).notices, []);
    const { notices } = await lists.add([request(text, { list })], jane);
    t.regex(notices[0] ?? '', notice);
    t.is(notices.length, 1);
  });
}

test.serial('a search for a mailbox finds the entry of any of its spellings', async (t) => {
  const { open } = await openProcesses(t);
  const { lists } = await open();
  await lists.add([request('jane.doe@gmail.com'), request('joe@gmail.com')], jane);
  const found = await lists.page({ after: null, limit: 10, filter: { text: 'JaneDoe+news@googlemail.com' } });
  t.deepEqual(
    found.map(({ typed }) => typed),
    ['jane.doe@gmail.com'],
  );
});

test.serial('a hundred additions and removals at once end as the records say', async (t) => {
  const { open } = await openProcesses(t);
  const one = await open();
  await addAndRemoveAtOnce(t, one, one);
});
