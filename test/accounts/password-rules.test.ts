import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { passwordProblem, refuseOversized } from '../../src/accounts/password-rules.ts';

test('any eight characters are enough, and hundreds are accepted', async (t) => {
  for (const password of [
    '28451903',
    'p4ssw0rd by the sea',
    'correct horse battery staple',
    'пароль12',
    '😀😁😂😃😄😅😆😇',
    ' a b c d ',
    'word '.repeat(200),
  ]) {
    t.is(await passwordProblem(password, 'jane@example.com'), undefined, password);
  }
});

test('a password that is short, of one character or the email is refused with what to do', async (t) => {
  t.regex((await passwordProblem('1234567', null)) ?? '', /8 characters/);
  t.regex(
    (await passwordProblem('😀😁😂😃', null)) ?? '',
    /8 characters/,
    'characters are counted, not code units',
  );
  t.regex((await passwordProblem('abababababab', null)) ?? '', /Choose another/);
  t.regex((await passwordProblem('Jane@Example.com', 'jane@example.com')) ?? '', /Choose another/);
});

test('a huge password is refused before it is hashed', async (t) => {
  t.is(await passwordProblem('0123456789abcdef'.repeat(256), null), undefined);
  const error = await t.throwsAsync(() => passwordProblem('x'.repeat(4_097), null), {
    instanceOf: AccountError,
  });
  t.is(error?.code, 'too_long');
  t.throws(() => refuseOversized('x'.repeat(4_097)), { instanceOf: AccountError });
});

test('a password that many people use is refused, in capitals or not', async (t) => {
  for (const password of ['password', 'PASSWORD1', '12345678', 'qwertyuiop', 'Iloveyou', 'p4ssw0rd']) {
    t.regex((await passwordProblem(password, null)) ?? '', /Many people use this password/, password);
  }
});
