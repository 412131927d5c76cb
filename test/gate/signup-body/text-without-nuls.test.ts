import test from 'ava';
import fc from 'fast-check';
import { textWithoutNuls } from '../../../src/gate/signup-body/text-without-nuls.ts';

test('every byte but NUL becomes its character', (t) => {
  const byte = fc.oneof(fc.constant(0), fc.nat(255));
  fc.assert(
    fc.property(fc.array(byte), (bytes) => {
      const expected = bytes.filter((code) => code !== 0).map((code) => String.fromCharCode(code));
      t.is(textWithoutNuls(Buffer.from(bytes)), expected.join(''));
    }),
  );
});
