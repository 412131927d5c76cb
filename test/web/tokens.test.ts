import test from 'ava';
import { createCode, createToken, readCode, tokenSha256 } from '../../src/web/tokens.ts';

test('tokens are 256 bits, fit a URL, and never come twice', (t) => {
  const tokens = new Set(Array.from({ length: 1_000 }, createToken));
  t.is(tokens.size, 1_000);
  for (const token of tokens) t.regex(token, /^[\w-]{43}$/);
});

test('a token that is too long is cut before it is hashed', (t) => {
  t.not(tokenSha256('a'.repeat(43)), tokenSha256('a'.repeat(44)));
  t.is(tokenSha256('a'.repeat(128)), tokenSha256('a'.repeat(10_000)));
});

test('codes are six digits and use the whole range evenly', (t) => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 10_000; i++) {
    const code = createCode();
    t.regex(code, /^\d{6}$/);
    counts.set(code.charAt(0), (counts.get(code.charAt(0)) ?? 0) + 1);
  }
  // Each first digit is expected 1,000 times, give or take 30; ten times that would be no accident.
  for (const digit of '0123456789') t.true(Math.abs((counts.get(digit) ?? 0) - 1_000) < 300, digit);
});

for (const [typed, code] of [
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['123\u2011456', '123456'],
  ['\uff11\uff12\uff13\uff14\uff15\uff16', '123456'],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['', null],
  ['\u0661\u0662\u0663\u0664\u0665\u0666', null],
  [`${' '.repeat(10_000)}123456`, null],
] as const) {
  test(`"${typed.slice(0, 12)}" (${typed.length} characters) is read as ${code ?? 'no code'}`, (t) => {
    t.is(readCode(typed), code);
  });
}
