import test from 'ava';
import { createTwoFactorSecrets } from '../../../src/accounts/two-factor/two-factor-secrets.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64url');
const secrets = createTwoFactorSecrets(keyOf(1));

test('a sealed secret opens for its account and key alone', (t) => {
  const sealed = secrets.seal('jane', 'JBSWY3DP');
  t.is(secrets.open('jane', sealed), 'JBSWY3DP');
  t.false(Buffer.from(sealed, 'base64url').includes('JBSWY3DP'));
  t.is(secrets.open('john', sealed), null, 'moved to another account');
  t.is(createTwoFactorSecrets(keyOf(2)).open('jane', sealed), null, 'another key');
});

test('the same secret is sealed differently each time', (t) => {
  t.not(secrets.seal('jane', 'JBSWY3DP'), secrets.seal('jane', 'JBSWY3DP'));
});

test('a damaged secret opens as null', (t) => {
  const bytes = Buffer.from(secrets.seal('jane', 'JBSWY3DP'), 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const damaged = Buffer.from(bytes);
    damaged[i] = (damaged[i] ?? 0) ^ 1;
    t.is(secrets.open('jane', damaged.toString('base64url')), null);
  }
  for (const text of ['', 'A', 'no base64 at all!']) t.is(secrets.open('jane', text), null);
});
