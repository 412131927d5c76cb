import test from 'ava';
import fc from 'fast-check';
import { readSearchInput as readAt } from '../../../src/dashboard/search/read-search-input.ts';
import { referenceOf } from '../../../src/http/reference.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const ID = '01a20341-1768-7fa6-827d-d49011668114';
const REFERENCE = referenceOf(ID) ?? '';
const read = (typed: string) => readAt(typed, 0x01a203411768 + 1_000);

function addressIn(typed: string): string | null {
  const input = read(typed);
  return input && 'mailbox' in input ? input.mailbox.address : null;
}

test('a mailbox is read alone, with the name of its owner, and in a sentence', (t) => {
  for (const typed of [
    'jane.doe@gmail.com',
    ' jane.doe@gmail.com\n',
    'Jane Doe <jane.doe@gmail.com>',
    'Jane Doe (jane.doe@gmail.com)',
    'jane.doe@old.example <jane.doe@gmail.com>',
    'mailto:jane.doe@gmail.com',
    '@jane.doe@gmail.com',
    'jane.doe@gmail.com, please help',
    'I signed up as jane.doe@gmail.com.',
    'jane.doe\uff20gmail.com',
  ])
    t.is(addressIn(typed), 'jane.doe@gmail.com', typed);
});

test('a sentence with a mailbox and a request is searched by the request', (t) => {
  const sentence = 'I am jane.doe@gmail.com and got the reference';
  t.deepEqual(read(`${sentence} ${REFERENCE}.`), { text: REFERENCE });
  t.deepEqual(read(`${sentence} (${ID.toUpperCase()})`), { text: ID });
  t.is(
    addressIn(`${REFERENCE}@gmail.com writes`),
    `${REFERENCE}@gmail.com`,
    'a part of the address is no reference',
  );
});

test('a part of an address, or several addresses, are nothing to search for', (t) => {
  for (const typed of ['jane doe@', 'jane@gmail', 'jane @gmail.com', 'a@x.example or b@x.example'])
    t.is(read(typed), null, typed);
});

test('a domain and any other text are searched as typed', (t) => {
  for (const typed of ['@shop.example', 'the shop', `Reference ${REFERENCE}`, ''])
    t.deepEqual(read(typed), { text: typed });
});

test('a key is searched by its last four characters, also in a header line', (t) => {
  const key = `gk_test_${'a'.repeat(34)}wxyz`;
  for (const typed of [key, `X-API-Key: ${key}`, `"${key}",`, `${key} of jane@shop.example`])
    t.deepEqual(read(typed), { text: 'wxyz' }, typed);
  t.deepEqual(read('gk_live_…wxyz'), { text: 'gk_live_…wxyz' });
});

test('no text that is put into a URL has an address', (t) => {
  const text = fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom('@', '\uff20', ' ', 'a', '.')) });
  fc.assert(
    fc.property(text, (typed) => {
      const input = read(typed);
      t.true(input === null || 'mailbox' in input || input.text.lastIndexOf('@') <= 0);
    }),
  );
});
