import { createHmac } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { createHmacSha256 } from '../../src/gate/gate-headers.ts';

const code = (secret: Buffer, text: string) => createHmacSha256(secret)(text);
const theirs = (secret: Buffer, text: string) =>
  createHmac('sha256', secret).update(text, 'latin1').digest('base64url');

test('a code is the one that RFC 4231 gives for short and for long keys', (t) => {
  const hex = (text: string, key: Buffer) => Buffer.from(code(key, text), 'base64url').toString('hex');
  t.is(
    hex('what do ya want for nothing?', Buffer.from('Jefe')),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  t.is(
    hex('Test Using Larger Than Block-Size Key - Hash Key First', Buffer.alloc(131, 0xaa)),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  );
});

test('a code is the one that createHmac gives, whatever the lengths of key and text', (t) => {
  const anyKey = fc.uint8Array({ maxLength: 200 });
  const property = fc.property(anyKey, fc.integer({ min: 0, max: 9_000 }), (key, length) => {
    const text = 'eyJhbGciOi.'.repeat(Math.ceil(length / 11)).slice(0, length);
    return code(Buffer.from(key), text) === theirs(Buffer.from(key), text);
  });
  t.notThrows(() => fc.assert(property));
});

test('one code has nothing of the one before', (t) => {
  const sign = createHmacSha256(Buffer.from('secret'));
  const short = sign('short');
  sign('long'.repeat(2_000));
  sign('middle'.repeat(100));
  t.is(sign('short'), short);
  t.is(short, theirs(Buffer.from('secret'), 'short'));
});
