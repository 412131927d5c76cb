import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadRandomLocalPartTest } from '../../../src/processors/email/random-local-part.ts';

const models = fileURLToPath(new URL('../../../models/', import.meta.url));
const isRandom = loadRandomLocalPartTest(models);

for (const name of [
  'kjhqwxzvbn',
  'xkcdqzwv',
  'sdfkjhgh',
  'a7f3k9x2',
  'd41d8cd98f00b204',
  'q8xkzr7v',
  '1a2b3c4d5e',
  'user.bvcxwqptr',
]) {
  test(`${name} looks random`, (t) => {
    t.true(isRandom(name));
  });
}

for (const name of [
  'jane',
  'jane.doe',
  'JANE.DOE1984',
  'jsmith',
  'mschwartz',
  'krzysztof.brzeczyszczykiewicz',
  'nguyenvanan',
  'zhangwei88',
  'xiaoming',
  'abdulrahman_k',
  'pkrzyzanowski',
  'hrvoje',
  'tsukamoto',
  'sunshine',
  'info',
  '123456789',
  'r2d2',
  'mike4u2nite',
  'иван',
  '用户',
  '"two words"',
  '',
]) {
  test(`${name || 'nothing'} does not look random`, (t) => {
    t.false(isRandom(name));
  });
}

test('given and family names in all common combinations look random in less than 2 % of cases', (t) => {
  const given =
    'oluwaseun anneliese xochitl siobhan nguyet priyanka bjorn katarzyna mehmet guadalupe hyejin tomasz ' +
    'wojtek svetlana francois yevgeniy ayesha lakshmi dmitri zeynep matthieu isabella joao caoimhe thorbjorn';
  const family =
    'schwarzenegger okonkwo kowalczyk subramaniam papadopoulos gutierrez hadzic nowak lindqvist ozturk ' +
    'vandenberg mcgregor fernandes tanaka pham szymanski yilmaz chowdhury dubois johansson wright knight krstic';
  const names = given
    .split(' ')
    .flatMap((first) =>
      family
        .split(' ')
        .flatMap((last) => [
          `${first}.${last}`,
          `${first}${last}`,
          `${first.slice(0, 1)}${last}`,
          `${last}_${first}77`,
          `${first}${last.slice(0, 1)}1990`,
        ]),
    );
  t.true(names.length > 2_000);
  const flagged = names.filter(isRandom);
  t.true(
    flagged.length < names.length * 0.02,
    `${flagged.length} of ${names.length}: ${flagged.slice(0, 20)}`,
  );
});

test('of drawn letters and digits most look random', (t) => {
  let state = 7;
  const draw = (alphabet: string, length: number) =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return alphabet[(state >>> 8) % alphabet.length];
    }).join('');
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const share = (alphabet: string, length: number) =>
    Array.from({ length: 1_000 }, () => draw(alphabet, length)).filter(isRandom).length / 1_000;
  t.true(share(letters, 10) > 0.8);
  t.true(share(`${letters}0123456789`, 12) > 0.7);
});

test('a damaged table is refused with the remedy', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-models-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'local-parts.bin'), 'short');
  t.throws(() => loadRandomLocalPartTest(folder), { message: /holds 5 weights, not 19683.*npm run train/ });
});
