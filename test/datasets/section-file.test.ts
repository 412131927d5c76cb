import test from 'ava';
import fc from 'fast-check';
import { asWords, packSections, unpackSections } from '../../src/datasets/section-file.ts';

test('sections of any length come back as they were', (t) => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 6 }), (sections) => {
      const unpacked = unpackSections(packSections(sections), sections.length);
      t.deepEqual(
        unpacked.map((one) => [...one]),
        sections.map((one) => [...one]),
      );
    }),
  );
});

test('words come back as words, also from bytes that begin anywhere', (t) => {
  const packed = packSections([Uint8Array.of(7), Uint32Array.of(1, 0xffffffff)]);
  const shifted = new Uint8Array(packed.length + 1);
  shifted.set(packed, 1);
  for (const bytes of [packed, shifted.subarray(1)]) {
    const [, words] = unpackSections(bytes, 2);
    t.deepEqual([...asWords(words ?? new Uint8Array())], [1, 0xffffffff]);
  }
});

test('sections are not copied', (t) => {
  const packed = packSections([Uint32Array.of(1, 2, 3)]);
  t.is(unpackSections(packed, 1)[0]?.buffer, packed.buffer);
});

test('a file that was cut, extended or replaced is refused', (t) => {
  const whole = packSections([Uint8Array.of(1, 2, 3), Uint32Array.of(4, 5)]);
  for (let length = 0; length < whole.length; length++) {
    t.throws(() => unpackSections(whole.subarray(0, length), 2), { message: /^is / }, `${length} bytes`);
  }
  const longer = new Uint8Array(whole.length + 1);
  longer.set(whole);
  t.throws(() => unpackSections(longer, 2), { message: 'is 29 bytes long where 28 were written' });
  t.throws(() => unpackSections(whole, 3), { message: 'is not a data file of this version' });
  t.throws(() => unpackSections(new Uint8Array(100), 2), { message: 'is not a data file of this version' });
  t.throws(() => asWords(new Uint8Array(5)), { message: 'holds a broken section' });
});
