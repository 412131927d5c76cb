import test from 'ava';
import fc from 'fast-check';
import { localPartTemplate } from '../../src/assessment/identity.ts';

const FAMILIES: readonly (readonly [string, string, ...string[]])[] = [
  ['user#', 'user1', 'user17', 'user1002', 'USER0003', 'user１２'],
  ['test-user-#', 'test-user-1', 'test-user-42'],
  ['promo_#_x', 'promo_17_x', 'promo_4_x'],
  ['bot#mail', 'bot7mail', 'bot12345mail'],
  ['xkqzab#', 'xkqzab7', 'xkqzab1234'],
  ['anna#', 'anna8831', 'anna90210'],
  ['~w.l.#4', 'anna.k.8831', 'bert.m.1207'],
  ['~w.w#4', 'james.smith4821', 'mary.jones1177'],
  ['~w_w_#5', 'james_smith_48217', 'mary_jones_11779'],
  ['~alnum:8', 'x7k2p9q4', '9kq2zz1m', 'ab12xy34'],
  ['~hex:12', '3fa9b2c84d1e', '00deadbeef11'],
  ['user+#', 'user+1', 'user+99'],
  ['"odd name#"', '"odd name1"', '"odd name22"'],
  ['ключ#', 'ключ1', 'КЛЮЧ٤٢'],
];

for (const [template, ...localParts] of FAMILIES) {
  test(`${localParts.join(', ')} are spelled after ${template}`, (t) => {
    t.deepEqual(
      localParts.map(localPartTemplate),
      localParts.map(() => template),
    );
  });
}

const ORDINARY: readonly (readonly [string, readonly string[]])[] = [
  ['a name without a number', ['anna', 'anna.schmidt', 'j.smith', 'o’neill', '山田', 'annaschmidt']],
  ['a number alone', ['1234567', '13800138000', '12-34.56', '٤٢']],
  [
    'a common name with an age, a short number or a year',
    ['anna84', 'peter1990', 'maria_7', 'tom.2001', 'alex123', 'smith77'],
  ],
];

for (const [what, localParts] of ORDINARY) {
  test(`${what} is no pattern worth counting`, (t) => {
    t.deepEqual(
      localParts.map(localPartTemplate),
      localParts.map(() => null),
    );
  });
}

test('people with a name and a number of their own share no pattern', (t) => {
  const people = ['annaschmidt84', 'b.weber1990', 'peter.lang7', 'kimura_hana2', 'kowalczyk77', 'dj_tom3'];
  const templates = people.map(localPartTemplate);
  t.is(new Set(templates).size, people.length);
  t.false(templates.includes(null));
});

test('one word inside a longer word is not a mix of letters and digits', (t) => {
  t.is(localPartTemplate('smith2go'), 'smith#go');
  t.is(localPartTemplate('team4you2'), 'team#you#');
});

test('any local part has one pattern in any case, and the pattern of a family ignores the number', (t) => {
  t.notThrows(() => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 64 }), (localPart) => {
        const template = localPartTemplate(localPart);
        return (
          template === null ||
          (template === localPartTemplate(localPart) && !/\p{Nd}/u.test(template.replace(/[#:]\d+$/, '')))
        );
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{5,10}-$/), fc.nat(), fc.nat(), (prefix, a, b) => {
        return localPartTemplate(`${prefix}${a}`) === localPartTemplate(`${prefix}${b}`);
      }),
    );
  });
});

test('the longest and strangest local parts cost no more than short ones', (t) => {
  for (const unit of ['a1', 'a.', '1.', 'a', '1', '-_', '🔑1', '٤']) {
    t.notThrows(() => localPartTemplate(unit.repeat(32)));
  }
});
