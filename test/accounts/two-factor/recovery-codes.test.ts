import test from 'ava';
import { createRecoveryCodes, recoveryCodeSha256 } from '../../../src/accounts/two-factor/recovery-codes.ts';

test('ten different codes of 80 bits', (t) => {
  const codes = createRecoveryCodes();
  t.is(new Set(codes).size, 10);
  for (const code of codes) t.regex(code, /^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
});

test('letter case, spaces, hyphens and letters that look alike do not matter', (t) => {
  const code = '0123-4567-89AB-1DEF';
  const hash = recoveryCodeSha256('jane', code);
  for (const typed of ['0123456789ab1def', ' o123 4567 89AB-IDEF ', '0I23‐4567–89ab—lDEF']) {
    t.is(recoveryCodeSha256('jane', typed), hash, typed);
  }
  t.not(recoveryCodeSha256('john', code), hash, 'of another account');
});

test('other texts are no recovery codes', (t) => {
  for (const typed of ['', '123456', '0123-4567-89AB-1DE', '0123-4567-89AB-1DEU', '0'.repeat(100_000)]) {
    t.is(recoveryCodeSha256('jane', typed), null);
  }
});
