import test from 'ava';
import fc from 'fast-check';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { rounds } from '../helpers/rounds.ts';
import { sharedJson } from '../helpers/shared-data.ts';

const local = (octets: number) => 'a'.repeat(octets);

for (const [why, addresses] of Object.entries({
  'are ordinary': [
    'jane@example.com',
    'j@x.de',
    'A.B+tag@GMAIL.com',
    "o'brien_1@sub.example.co.uk",
    '0@1.fr',
  ],
  'use every character of an atom': ["!#$%&'*+/=?^_`{|}~-@example.com"],
  'are quoted': ['"a b"@example.com', '"a@b"@example.com', '"\\""@example.com', '""@example.com'],
  'are international': [
    'élodie@exämple.fr',
    '用户@例え.jp',
    'иван@почта.рф',
    'user@xn--bcher-kva.de',
    '👍@example.com',
  ],
  'have a domain that UTS 46 maps to ASCII': ['jane@ＧＭＡＩＬ．com', 'jane@gmail。com'],
  'have a suffix that does not exist': ['jane@example.test', 'jane@host.zzzz'],
  'are as long as allowed': [
    `${local(64)}@example.com`,
    `${'é'.repeat(32)}@example.com`,
    `${local(64)}@${`${local(62)}.`.repeat(2)}${local(60)}.fr`,
  ],
})) {
  test(`mailboxes that ${why} are read`, (t) => {
    for (const address of addresses) t.is(parseMailbox(address)?.address, address, address);
  });
}

for (const [why, addresses] of Object.entries({
  'lack a part': ['', '@', 'jane', 'jane@', '@example.com', ' ', 'jane.example.com'],
  'hold more than one mailbox': [
    'a@b@c.com',
    'a@b.com,c@d.com',
    'a@b.com;c@d.com',
    'a@b.com c@d.com',
    'a@x.co\u0000@evil.co',
  ],
  'hold an encoded word': [
    '=?utf-8?q?c=40d.com=3e?=@x.com',
    'a=?utf-8?Q?c=40d.com=3e=20?=a@x.com',
    '=?x?b?Y0BkLmNvbT4=?=@x.com',
    '"=?utf-8?q?c=40d.com=3e?="@x.com',
    '=?utf-7?q?c&AEA-d.com?=@x.com',
    '=?utf-8?q?\u00e9=40d.com?=@x.com',
  ],
  'carry controls': [
    'a\r\nBcc: b@c.com@x.com',
    'a@x.com\n',
    'a\u0000@x.com',
    'a\u0085b@x.com',
    '"a\nb"@x.com',
    'a\u007f@x.com',
  ],
  'carry white space': [
    ' a@x.com',
    'a@x.com ',
    'a b@x.com',
    'a@x .com',
    '\u00a0a@x.com',
    'a@x.com\u3000',
    'a\u2003b@x.com',
    '\ta@x.com',
  ],
  'cannot be seen or turn text around': [
    'a\u202eb@x.com',
    'a\u200bb@x.com',
    'a\u2066b@x.com',
    'a\u00adb@x.com',
    'é\ue000@x.com',
    'a@ex\u200dample.com',
  ],
  'are not well-formed Unicode': ['a\ud800@x.com', '\udc00a@x.com', 'a@x\ud800.com'],
  'misplace dots': ['.a@x.com', 'a.@x.com', 'a..b@x.com', 'a@.x.com', 'a@x..com', 'a@x.com.', 'a@x.com。'],
  'misuse quotes': [
    '"a@x.com',
    'a"@x.com',
    'a"b"c@x.com',
    '"a"b@x.com',
    '"a"."b"@x.com',
    '"a\\"@x.com',
    '"""@x.com',
  ],
  'have comments, names or folding': [
    '(c)a@x.com',
    'Jane <a@x.com>',
    '<a@x.com>',
    'a@(c)x.com',
    'mailto:a@x.com ',
  ],
  'have no host name of two labels': [
    'a@localhost',
    'a@com',
    'a@-x.com',
    'a@x-.com',
    'a@x_y.com',
    'a@x.com/b',
    'a@x.com:80',
    'a@x.com?q',
    'a@x.com#f',
    'a@%61.com',
    'a@ex\tample.com',
    'a@xn--a.com',
    'a@xn--a-.com',
    'a@mail.xn--zzzzzzzz.com',
    'a@xn--zzzz99.com',
  ],
  'have an address for a domain': [
    'a@[127.0.0.1]',
    'a@[IPv6:::1]',
    'a@127.0.0.1',
    'a@1.2',
    'a@x.123',
    'a@x.0x7f',
    'a@１.２',
  ],
  'become something else when normalised': ['me.\u037e@example.com', '\u0301a@example.com'],
  'are too long': [
    `${local(65)}@example.com`,
    `${'é'.repeat(33)}@example.com`,
    `${local(64)}@${`${local(62)}.`.repeat(2)}${local(61)}.fr`,
    `a@${local(64)}.com`,
    `a@${'ä'.repeat(60)}.com`,
    `${'é'.repeat(31)}@${'ä.'.repeat(64)}com`,
  ],
})) {
  test(`texts that ${why} are no mailboxes`, (t) => {
    for (const address of addresses) t.is(parseMailbox(address), null, JSON.stringify(address));
  });
}

test('a mailbox is cut at its last @, and its domain is lower-case A-labels', (t) => {
  const mailbox = parseMailbox('"a@b"@Sub.BÜCHER.de');
  t.is(mailbox?.localPart, '"a@b"');
  t.is(mailbox?.domain.ascii, 'sub.xn--bcher-kva.de');
});

test('inputs of a hundred kilobytes are refused without being scanned', (t) => {
  const probes = ['a', '@', '.', '"', '\\', 'a.', '"\\', 'é', '\u0301', 'a@', '@a.', '\ud800'];
  for (const probe of probes) {
    const long = probe.repeat(100_000 / probe.length);
    for (const address of [long, `${long}@x.com`, `a@${long}`, `a@${long}.com`, `"${long}"@x.com`]) {
      t.is(parseMailbox(address), null);
    }
  }
});

test('any text is either refused or read as exactly what was sent', (t) => {
  const any = fc.string({
    unit: fc.constantFrom(...'aB1.@"\\ +-_é用\u0301\u202e\u0000\n[]()<>,;:'),
    maxLength: 40,
  });
  // Random text alone is hardly ever an address: half of the parts are plain.
  const text = fc.oneof(any, fc.string({ unit: fc.constantFrom(...'aB1é'), minLength: 1, maxLength: 8 }));
  let read = 0;
  fc.assert(
    fc.property(text, text, (before, after) => {
      const address = `${before}@${after}.com`;
      const mailbox = parseMailbox(address);
      if (!mailbox) return;
      read++;
      t.is(mailbox.address, address);
      t.true(address.startsWith(`${mailbox.localPart}@`));
      t.regex(mailbox.domain.ascii, /^[a-z0-9.-]+$/);
      t.notRegex(address, /[\p{C}\n]|^\s|\s$/u);
    }),
    { numRuns: rounds(2_000) },
  );
  t.true(read > 0);
});

/** Where our addresses differ from RFC 5321 as the set reads it: host names of two labels, and no address literals. */
const ISEMAIL_STRICTER = /TLDNUMERIC|ADDRESSLITERAL|RFC5321_TLD$/;

test('the isemail set is read as RFC 5321, except for literals, single labels and numeric suffixes', (t) => {
  type Case = { readonly address: string; readonly category: string; readonly diagnosis: string };
  const { content: cases, isSample } = sharedJson<readonly Case[]>('conformance/isemail.json');
  t.true(isSample || cases.length > 100);
  for (const { address, category, diagnosis } of cases) {
    const isMailbox = /VALID_CATEGORY|DNSWARN|RFC5321/.test(category) && !ISEMAIL_STRICTER.test(diagnosis);
    t.is(parseMailbox(address) !== null, isMailbox && address !== 'test@io', `${diagnosis} ${address}`);
  }
});

/** Where python-email-validator answers by options or policies of its own. */
const PYTHON_DIFFERENCES: Readonly<Record<string, RegExp>> = {
  'display names are read when asked for': /<.*>$/,
  'quoted local parts are an option': /^"/,
  'reserved suffixes are a finding, not a syntax error': /\.(arpa|invalid|local|localhost|onion|test)$/,
  'octets count as sent, not normalised nor as A-labels': /^my\.[^@]*address@[^@]{150}/u,
  'hyphens in third and fourth place are legal in host names': /@yy(--|－－)0\.tld$/,
  'a suffix that does not exist is a finding': /\.tld-2$/,
};

test('the python-email-validator set is read alike, except for its options and policies', (t) => {
  type Case = { readonly address: string; readonly expected: unknown };
  const { content: cases, isSample } = sharedJson<readonly Case[]>('conformance/python-email-validator.json');
  t.true(isSample || cases.length > 150);
  const unexplained = cases.filter(({ address, expected }) => {
    const isMailbox = typeof expected === 'object' && expected !== null;
    if ((parseMailbox(address) !== null) === isMailbox) return false;
    return !Object.values(PYTHON_DIFFERENCES).some((difference) => difference.test(address));
  });
  t.deepEqual(unexplained, []);
});

/**
 * The default answer of validator follows a policy here: full-width domains, one-letter suffixes, symbols in host
 * names.
 */
const VALIDATOR_POLICIES = ['somename@ｇｍａｉｌ.com', 'z@co.c', 'username@domain.com©'];

test('the validator set is read alike with its default options, except for three policies', (t) => {
  type Group = { validator: string; args: unknown[]; valid?: string[]; invalid?: string[] };
  const groups = sharedJson<readonly Group[]>('conformance/validator-email.json').content.filter(
    ({ validator, args }) => validator === 'isEmail' && args.length === 0,
  );
  t.true(groups.length > 0);
  const read = (addresses: string[] = []) => addresses.filter((address) => parseMailbox(address) !== null);
  t.deepEqual(
    groups.flatMap(({ valid }) => read(valid)),
    groups.flatMap(({ valid }) => valid ?? []),
  );
  t.deepEqual(
    groups.flatMap(({ invalid }) => read(invalid)),
    VALIDATOR_POLICIES,
  );
});
