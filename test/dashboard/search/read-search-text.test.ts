import test from 'ava';
import fc from 'fast-check';
import { readSearchText as readAt } from '../../../src/dashboard/search/read-search-text.ts';
import { referenceOf } from '../../../src/http/reference.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const ID = '01a20341-1768-7fa6-827d-d49011668114';
const MADE_AT = 0x01a203411768;
const readSearchText = (typed: string) => readAt(typed, MADE_AT + 1_000);
const NOTHING = { id: null, beginning: null, domain: null, network: null };

test('a request id is read whole, in capitals, and without its dashes', (t) => {
  for (const typed of [ID, ID.toUpperCase(), ` ${ID}\n`, ID.replaceAll('-', '')]) {
    t.is(readSearchText(typed).id, ID, typed);
  }
});

test('every beginning of a request id from eight characters on is one', (t) => {
  for (let length = 8; length < ID.length; length++) {
    t.is(readSearchText(ID.slice(0, length)).beginning, ID.slice(0, length));
  }
  for (const none of ['01a2034', '01a203411', '01a20341--', '01a20341-17682', 'zzzzzzzz', `${ID}0`]) {
    t.is(readSearchText(none).beginning, null, none);
  }
});

test('a reference is read in small letters too, and with spaces', (t) => {
  const reference = referenceOf(ID) ?? '';
  for (const typed of [reference, reference.toLowerCase(), `${reference.slice(0, 4)} ${reference.slice(4)}`])
    t.is(readSearchText(typed).madeAt, MADE_AT, typed);
});

test('an id and a reference are found in a sentence that a customer quotes', (t) => {
  const reference = referenceOf(ID) ?? '';
  for (const typed of [`Reference ${reference}`, `#${reference}`, `(ref.: ${reference.toLowerCase()})`])
    t.is(readSearchText(typed).madeAt, MADE_AT, typed);
  for (const typed of [`Request id: ${ID}`, `${reference} ${ID}.`]) t.is(readSearchText(typed).id, ID, typed);
  t.is(readSearchText('the reference of Jeremiah').madeAt, null, 'a word of eight letters is no reference');
  t.is(readSearchText(`${ID}0 and 0${ID}`).id, null);
});

test('a domain is searched as decisions store it', (t) => {
  for (const [typed, domain] of [
    ['mail.shop.example', 'shop.example'],
    ['@shop.example', 'shop.example'],
    ['Büro.example', 'xn--bro-hoa.example'],
    ['shop', null],
  ] as const) {
    t.is(readSearchText(typed).domain, domain, typed);
  }
});

test('an address or a network is searched as the stored network, and is no name', (t) => {
  for (const [typed, network] of [
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.128/25', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ] as const) {
    t.like(readSearchText(typed), { network, name: null, domain: null });
  }
  t.like(readSearchText('203.0.0.0/16'), { network: null });
});

test('any other text is a name, and an empty one is nothing', (t) => {
  t.like(readSearchText('the shop'), { ...NOTHING, name: 'the shop' });
  t.like(readSearchText('AS64500'), { ...NOTHING, name: 'AS64500' });
  t.like(readSearchText('   '), { ...NOTHING, name: null, text: '' });
  t.like(readSearchText('\0 \ud800\n'), { ...NOTHING, name: null, text: '' });
  t.is(readSearchText('x'.repeat(5_000)).text.length, 300);
});

test('no text makes the reader fail', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (typed) => {
      t.true(readSearchText(typed).text.length <= 300);
    }),
  );
});
