import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { passwordProblem, refuseOversized } from '../../src/accounts/password-rules.ts';

test('any eight characters are enough, and hundreds are accepted', (t) => {
  for (const password of [
    '12345678',
    'p4ssw0rd',
    'пароль12',
    '😀😁😂😃😄😅😆😇',
    ' a b c d ',
    'word '.repeat(200),
  ]) {
    t.is(passwordProblem(password, 'jane@example.com'), undefined, password);
  }
});

test('a password that is short, of one character or the email is refused with what to do', (t) => {
  t.regex(passwordProblem('1234567', null) ?? '', /8 characters/);
  t.regex(passwordProblem('😀😁😂😃', null) ?? '', /8 characters/, 'characters are counted, not code units');
  t.regex(passwordProblem('abababababab', null) ?? '', /Choose another/);
  t.regex(passwordProblem('Jane@Example.com', 'jane@example.com') ?? '', /Choose another/);
});

test('a huge password is refused before it is hashed', (t) => {
  t.is(passwordProblem('0123456789abcdef'.repeat(256), null), undefined);
  const error = t.throws(() => passwordProblem('x'.repeat(4_097), null), { instanceOf: AccountError });
  t.is(error?.code, 'too_long');
  t.throws(() => refuseOversized('x'.repeat(4_097)), { instanceOf: AccountError });
});
