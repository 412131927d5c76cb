import test from 'ava';
import { passwordProblem, readPassword } from '../../../src/dashboard/accounts/password-rules.ts';
import { readFields } from '../../../src/dashboard/form.ts';
import { PageError } from '../../../src/dashboard/page-error.ts';

test('eight characters are enough, whatever they are, and hundreds are not too many', (t) => {
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
  t.regex(passwordProblem('abababababab', null) ?? '', /choose another/);
  t.regex(passwordProblem('Jane@Example.com', 'jane@example.com') ?? '', /choose another/);
});

test('a password is read as typed, and a huge one is refused before it costs anything', (t) => {
  t.is(readPassword(readFields({ password: ' spaces ' }), 'password'), ' spaces ');
  t.is(readPassword(readFields({ password: ['a', 'b'] }), 'password'), '');
  const huge = readFields({ password: 'x'.repeat(4_097) });
  const error = t.throws(() => readPassword(huge, 'password'), { instanceOf: PageError });
  t.is(error?.status, 413);
});
