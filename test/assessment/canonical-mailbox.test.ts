import test from 'ava';
import fc from 'fast-check';
import { type Mailbox, parseMailbox } from '../../src/addresses/email-address.ts';
import { canonicalMailbox, readMailbox } from '../../src/assessment/canonical-mailbox.ts';
import { MAILBOX_PROVIDERS } from '../../src/assessment/mailbox-providers.ts';
import { rounds } from '../helpers/rounds.ts';

const mailbox = (address: string): Mailbox => {
  const read = parseMailbox(address);
  if (!read) throw new Error(`no mailbox: ${address}`);
  return read;
};

for (const [canonical, spellings] of [
  [
    'ab@gmail.com',
    ['A.B+tag@GMAIL.com', 'ab@googlemail.com', 'a.b@gmail.com', '"a.b"@gmail.com', '"a\\b"@gmail.com'],
  ],
  ['jane@outlook.com', ['jane+x@outlook.com', 'JANE@Outlook.com']],
  ['jane@hotmail.co.uk', ['jane+a+b@hotmail.co.uk']],
  ['jane@live.fr', ['jane+x@live.fr']],
  ['jane@fastmail.com', ['jane+x@fastmail.com', 'shop@jane.fastmail.com']],
  ['janedoe@proton.me', ['jane.doe@proton.me', 'jane_doe@protonmail.com', 'jane-doe+x@pm.me']],
  ['jane@icloud.com', ['jane@me.com', 'jane+x@mac.com', 'jane@icloud.com']],
  ['jane@yahoo.co.uk', ['jane-shop@yahoo.co.uk']],
  ['élodie@example.com', ['e\u0301lodie@example.com', 'ÉLODIE@example.com']],
  ['straße@example.com', ['Straße@example.com', 'STRAßE@example.com']],
  ['ŏlé@example.com', ['o\u0306le\u0301@example.com', 'ŎLÉ@example.com', 'O\u0306LE\u0301@example.com']],
  ['a@example.com', ['"a"@example.com', '"\\a"@EXAMPLE.com']],
] as const) {
  test(`${spellings.join(', ')} are the mailbox ${canonical}`, (t) => {
    for (const spelling of spellings) t.is(canonicalMailbox(mailbox(spelling)), canonical, spelling);
  });
}

for (const [why, one, other] of [
  ['tags of unknown providers', 'jane+a@example.com', 'jane+b@example.com'],
  ['dots outside Gmail', 'jane.doe@outlook.com', 'janedoe@outlook.com'],
  ['hyphens outside Yahoo and Proton', 'jane-a@gmail.com', 'jane-b@gmail.com'],
  ['plus signs at Yahoo', 'jane+a@yahoo.com', 'jane+b@yahoo.com'],
  ['hyphens at Yahoo Japan, another company', 'jane-a@yahoo.co.jp', 'jane-b@yahoo.co.jp'],
  ['domains of Outlook', 'jane@outlook.com', 'jane@hotmail.com'],
  ['subdomains of providers without them', 'a@jane.gmail.com', 'b@jane.gmail.com'],
  ['quoted names that need their quotes', '"a b"@example.com', '"ab"@example.com'],
  ['sharp s', 'straße@example.com', 'strasse@example.com'],
  ['capital sharp s', 'straẞe@example.com', 'straße@example.com'],
  ['long s', 'ſam@example.com', 'sam@example.com'],
  ['the Kelvin sign', '\u212aate@example.com', 'kate@example.com'],
  ['the Ångström sign', '\u212bke@example.com', 'åke@example.com'],
  ['the Ohm sign', '\u2126@example.com', 'ω@example.com'],
  ['full width', 'ｊane@example.com', 'jane@example.com'],
  ['the dotless i', 'ırma@example.com', 'irma@example.com'],
  ['the dotted capital i', 'İrma@example.com', 'irma@example.com'],
  ['ligatures', 'ﬁona@example.com', 'fiona@example.com'],
  ['titlecase letters', 'ǅ@example.com', 'ǆ@example.com'],
  ['the micro sign', 'µ@example.com', 'μ@example.com'],
  ['final sigma', 'nikoς@example.com', 'nikoσ@example.com'],
  ['symbols of theta', 'ϴ@example.com', 'θ@example.com'],
  ['superscripts', 'jane²@example.com', 'jane2@example.com'],
  ['ideographs of compatibility', '\uf900@example.com', '豈@example.com'],
  ['variation selectors', '葛\u{e0100}@example.com', '葛@example.com'],
  ['a joiner of graphemes', 'ja\u034fne@example.com', 'jane@example.com'],
] as const) {
  test(`${why} keep mailboxes apart`, (t) => {
    t.not(canonicalMailbox(mailbox(one)), canonicalMailbox(mailbox(other)));
  });
}

test('a letter is folded in the same way before and after a tag', (t) => {
  t.is(canonicalMailbox(mailbox('nikos+x@proton.me')), 'nikos@proton.me');
  t.is(canonicalMailbox(mailbox('zsσσ@proton.me')), canonicalMailbox(mailbox('ZSΣΣ+b@proton.me')));
});

test('letters that Unicode merges and mail servers distinguish have two names, and no spelling shares one', (t) => {
  const merged: string[] = [];
  for (let point = 0x80; point <= 0x2ffff; point++) {
    const letter = String.fromCodePoint(point);
    const plain = letter.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
    const [read, other] = [parseMailbox(`a${letter}@example.com`), parseMailbox(`a${plain}@example.com`)];
    if (!read || !other || plain === letter) continue;
    const isPair = plain.toUpperCase() === letter || letter.normalize('NFD') === plain.normalize('NFD');
    const isComposed = [...letter.normalize('NFC')].length > 1;
    if (!isPair && !isComposed && canonicalMailbox(read) === canonicalMailbox(other)) merged.push(letter);
  }
  t.deepEqual(merged, []);
});

test('a tag is noticed only where the provider ignores it', (t) => {
  t.true(readMailbox(mailbox('jane+x@gmail.com')).isTagged);
  t.true(readMailbox(mailbox('x@jane.fastmail.com')).isTagged);
  t.false(readMailbox(mailbox('j.a.n.e@gmail.com')).isTagged);
  t.false(readMailbox(mailbox('+jane@gmail.com')).isTagged);
  t.false(readMailbox(mailbox('jane+x@example.com')).isTagged);
  t.false(readMailbox(mailbox('"jane +x"@gmail.com')).isTagged);
});

test('case never makes another mailbox, and the canonical name is its own canonical name', (t) => {
  const domain = fc.constantFrom(...MAILBOX_PROVIDERS.keys(), 'example.com', 'jane.fastmail.fm');
  const local = fc.string({ unit: fc.constantFrom(...'abZ09.+-_éΣ用"\\ @'), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(local, domain, fc.boolean(), (name, host, isQuoted) => {
      const read = parseMailbox(`${isQuoted ? `"${name.replace(/["\\]/g, '\\$&')}"` : name}@${host}`);
      if (!read) return;
      const canonical = canonicalMailbox(read);
      const upper = parseMailbox(read.address.toUpperCase());
      if (upper) t.is(canonicalMailbox(upper), canonical);
      const again = parseMailbox(canonical);
      if (again) t.is(canonicalMailbox(again), canonical);
    }),
    { numRuns: rounds(2_000) },
  );
});
