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
  ['\u0661\u0662\u0663\u0664\u0665\u0660', '123450'],
  ['\u06f7\u06f8\u06f9\u06f0\u06f1\u06f2', '789012'],
  ['\u0967\u0968\u0969\u096a\u096b\u096f', '123459'],
  ['\u{11c59}\u{11c50}\u{11c51}\u{11c52}\u{11c53}\u{11c54}', '901234'],
  ['\u200e123456\u200b', '123456'],
  ['"123456"', '123456'],
  ['Your code: 123 456', '123456'],
  ['Your code:\n\n123456\n\nEnter the code on the page. It works for 10 min.', '123456'],
  ['123456 654321', null],
  ['\u202e123456', null],
  ['123456, 654321', null],
  [`${' '.repeat(10_000)}123456`, null],
] as const) {
  test(`"${typed.slice(0, 12)}" (${typed.length} characters) is read as ${code ?? 'no code'}`, (t) => {
    t.is(readCode(typed), code);
  });
}
