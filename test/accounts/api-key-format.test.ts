import test from 'ava';
import fc from 'fast-check';
import { createApiKey, hasValidChecksum, sha256OfKey } from '../../src/accounts/api-key-format.ts';

test('a key has a prefix for its kind, 32 random characters, and a valid checksum', (t) => {
  const keys = Array.from({ length: 500 }, (_, i) => createApiKey({ test: i % 2 === 1 }));
  for (const [i, key] of keys.entries()) {
    t.regex(key, i % 2 === 1 ? /^gk_test_[0-9A-Za-z]{38}$/ : /^gk_live_[0-9A-Za-z]{38}$/);
    t.true(hasValidChecksum(key));
  }
  t.is(new Set(keys).size, keys.length);
  t.is(new Set(keys.join('').slice(8)).size, 63, 'all 62 digits and the underscore occur');
});

test('the checksum is the CRC-32 of the random part in base62, padded with zeros', (t) => {
  // The CRC-32 of 32 times "0" is 0x2eb27ea1 = 783449761 by zlib, bzip2 and Python alike; in base62 0r1FbV.
  const zeros = '0'.repeat(32);
  t.true(hasValidChecksum(`gk_live_${zeros}${base62(crcOf(zeros))}`));
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z]{32}$/), (random) =>
      hasValidChecksum(`gk_test_${random}${base62(crcOf(random))}`),
    ),
  );
});

test('the checksum detects a changed character, swapped neighbours and a cut', (t) => {
  const key = createApiKey({ test: false });
  for (let at = 8; at < key.length; at++) {
    const changed = key[at] === 'x' ? 'y' : 'x';
    t.false(hasValidChecksum(key.slice(0, at) + changed + key.slice(at + 1)));
    const swapped = key.slice(0, at - 1) + key.charAt(at) + key.charAt(at - 1) + key.slice(at + 1);
    if (swapped !== key) t.false(hasValidChecksum(swapped));
    t.false(hasValidChecksum(key.slice(0, at)));
  }
  for (const text of [
    '',
    'gk_live_',
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.replace('live', 'prod'),
    'é'.repeat(46),
  ]) {
    t.false(hasValidChecksum(text), text);
  }
});

test('a key is stored as its SHA-256 in lower-case hex', (t) => {
  t.is(sha256OfKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

/** Written from the definition (ISO 3309), bit by bit, to check against. */
function crcOf(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return [5, 4, 3, 2, 1, 0].map((place) => digits[Math.floor(value / 62 ** place) % 62]).join('');
}
