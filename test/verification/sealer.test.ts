import test from 'ava';
import fc from 'fast-check';
import { decodeHeldSignup, encodeHeldSignup } from '../../src/verification/held-signup.ts';
import { createSealer } from '../../src/verification/sealer.ts';
import { anyCharacter } from '../helpers/any-character.ts';

const sealer = createSealer(['a secret of this test']);
const sealed = (content: string, requestId = 'r1') => ({
  ...{ requestId, keyId: sealer.keyId, sealed: sealer.seal(requestId, Buffer.from(content)) },
});

test('any instance with the key opens sealed content', (t) => {
  t.is(createSealer(['a secret of this test']).open(sealed('hello'))?.toString(), 'hello');
  t.is(sealer.open(sealed(''))?.length, 0);
});

test('sealing the same content twice gives different text without the content', (t) => {
  const [one, other] = [sealed('jane@example.com'), sealed('jane@example.com')];
  t.not(one.sealed, other.sealed);
  t.false(Buffer.from(one.sealed, 'base64').includes('jane'));
});

test('sealed content with one changed bit is not opened', (t) => {
  const whole = sealed('hello');
  const bytes = Buffer.from(whole.sealed, 'base64');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    t.is(sealer.open({ ...whole, sealed: changed.toString('base64') }), null);
  }
  for (let length = 0; length < bytes.length; length++) {
    t.is(sealer.open({ ...whole, sealed: bytes.subarray(0, length).toString('base64') }), null);
  }
});

test('content sealed for one request is not opened for another', (t) => {
  t.is(sealer.open({ ...sealed('hello', 'r1'), requestId: 'r2' }), null);
});

test('a new key seals, the old key still opens, a removed key does not', (t) => {
  const before = sealed('hello');
  const rotated = createSealer(['a new secret', 'a secret of this test']);
  t.not(rotated.keyId, sealer.keyId);
  t.is(rotated.open(before)?.toString(), 'hello');
  t.is(rotated.codeHash('123456', before), sealer.codeHash('123456', before));
  const replaced = createSealer(['a new secret']);
  t.is(replaced.open(before), null);
  t.is(replaced.codeHash('123456', before), null);
});

test('the hash of a code depends on the key and on the request', (t) => {
  const of = (requestId: string, keyId = sealer.keyId) => sealer.codeHash('123456', { requestId, keyId });
  t.is(of('r1'), of('r1'));
  t.not(of('r1'), of('r2'));
  t.not(of('r1'), sealer.codeHash('123457', { requestId: 'r1', keyId: sealer.keyId }));
});

test('a held signup is restored unchanged with any bytes in its body and headers', (t) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.array(fc.string({ unit: anyCharacter, maxLength: 20 }), { maxLength: 20 }),
      (body, rawHeaders) => {
        const signup = {
          ...({
            requestId: 'r1',
            recipient: 'jäne@example.com',
            language: 'de',
            linkToken: 'token',
          } as const),
          message: { method: 'POST', target: '/signup?x=%ff', rawHeaders, body: Buffer.from(body) },
          context: { score: 55, peer: { address: '2001:db8::1', trusted: false }, none: null, list: ['a'] },
        };
        t.deepEqual(decodeHeldSignup(encodeHeldSignup(signup)), signup);
      },
    ),
  );
});
