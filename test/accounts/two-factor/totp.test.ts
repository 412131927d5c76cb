import test from 'ava';
import { createTotpSecret, stepOfCode, totpUri } from '../../../src/accounts/two-factor/totp.ts';

/** RFC 6238 appendix B: `12345678901234567890`, with the last six digits of its codes. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

for (const [seconds, code] of VECTORS) {
  test(`the code of RFC 6238 at ${seconds} s belongs to its step`, (t) => {
    t.is(stepOfCode(SECRET, code, seconds * 1_000), Math.floor(seconds / 30));
  });
}

test('a clock may be one step off, in both directions, and no more', (t) => {
  const [seconds, code] = VECTORS[3];
  const step = Math.floor(seconds / 30);
  for (const drift of [-1, 0, 1]) {
    t.is(stepOfCode(SECRET, code, (step + drift) * 30_000), step, `${drift} steps`);
  }
  for (const drift of [-2, 2]) t.is(stepOfCode(SECRET, code, (step + drift) * 30_000), null);
});

test('a secret has 160 random bits, and its URI names the site and the user', (t) => {
  const secret = createTotpSecret();
  t.regex(secret, /^[A-Z2-7]{32}$/);
  t.not(createTotpSecret(), secret);
  const uri = new URL(totpUri(secret, { email: 'jane@example.com', site: 'gate.example:8081' }));
  t.is(uri.protocol, 'otpauth:');
  t.is(uri.searchParams.get('secret'), secret);
  t.is(uri.searchParams.get('issuer'), 'Gatekeeper gate.example:8081');
  t.regex(decodeURIComponent(uri.pathname), /jane@example\.com$/);
});
