import { scryptSync } from 'node:crypto';
import test from 'ava';
import { AccountError } from '../../src/accounts/account-error.ts';
import { createPasswordHasher } from '../../src/accounts/password-hasher.ts';

const HOME = { origin: 'home', isKnown: false };

test('a hash matches only its own password, not a similar one', async (t) => {
  const { hash, verify } = createPasswordHasher();
  const long = 'x'.repeat(200);
  const stored = await hash(long);
  t.true(await verify(long, stored, HOME));
  // bcrypt would stop at 72 bytes.
  t.false(await verify(`${long.slice(0, 199)}y`, stored, HOME));
  t.false(await verify(long.slice(0, 72), stored, HOME));
  t.false(await verify(` ${long}`, stored, HOME));
  t.false(await verify('', stored, HOME));
});

test('a hash names its parameters, and two hashes of one password differ', async (t) => {
  const { hash } = createPasswordHasher();
  const [one, other] = await Promise.all([hash('correct horse'), hash('correct horse')]);
  t.regex(one, /^\$scrypt\$ln=16,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  t.not(one, other);
});

test('a hash with other cost parameters still matches', async (t) => {
  const { verify } = createPasswordHasher();
  const salt = Buffer.from('a salt of sixteen');
  const key = scryptSync('correct horse', salt, 32, { N: 1_024, r: 4, p: 2 });
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$scrypt$ln=10,r=4,p=2$${unpadded(salt)}$${unpadded(key)}`;
  t.true(await verify('correct horse', stored, HOME));
  t.false(await verify('correct horsf', stored, HOME));
});

test('composed and decomposed letters are one password', async (t) => {
  const { hash, verify } = createPasswordHasher();
  t.true(await verify('mu\u0308nchen 1972', await hash('m\u00fcnchen 1972'), HOME));
});

test('without an account no password matches, after the same work', async (t) => {
  const { verify } = createPasswordHasher();
  t.false(await verify('correct horse', null, HOME));
});

test('an unreadable stored hash is a bug, not a wrong password', async (t) => {
  const { verify } = createPasswordHasher();
  await t.throwsAsync(verify('correct horse', 'plain text', HOME), { instanceOf: TypeError });
});

test('beyond thirty-two waiting calls new calls are refused, and waiting calls get their turn', async (t) => {
  const { verify } = createPasswordHasher(2);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => verify('correct horse', null, HOME)),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  t.is(refused.length, 6);
  t.true(refused.every((reason) => reason instanceof AccountError && reason.code === 'busy'));
  t.true(refused.every(({ retryAfterSeconds }: AccountError) => (retryAfterSeconds ?? 0) > 0));
  t.false(await verify('correct horse', null, HOME), 'the places are free again');
});
