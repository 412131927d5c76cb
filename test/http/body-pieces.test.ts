import test from 'ava';
import fc from 'fast-check';
import { BodyPieces } from '../../src/http/body-pieces.ts';

test('pieces of any sizes come out unchanged, joined or one after the other', (t) => {
  const size = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 900, max: 5_000 }));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), fc.boolean(), (sizes, alternates) => {
      const pieces = new BodyPieces();
      const sent = sizes.map((bytes, i) => Buffer.alloc(bytes, i + 1));
      const taken: Buffer[] = [];
      for (const piece of sent) {
        pieces.add(piece);
        if (alternates) taken.push(pieces.shift() ?? Buffer.alloc(0));
      }
      taken.push(pieces.join());
      t.true(Buffer.concat(taken).equals(Buffer.concat(sent)));
    }),
  );
});

test('single bytes are stored together', (t) => {
  const pieces = new BodyPieces();
  t.true(pieces.isEmpty);
  for (let i = 0; i < 100_000; i++) pieces.add(Buffer.of(i & 255));
  let shifts = 0;
  let bytes = 0;
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    shifts += 1;
    bytes += piece.length;
  }
  t.is(bytes, 100_000);
  t.true(shifts < 50);
  t.true(pieces.isEmpty);
});

test('cleared bytes are gone', (t) => {
  const pieces = new BodyPieces();
  pieces.add(Buffer.from('a'));
  pieces.add(Buffer.alloc(2_000));
  pieces.add(Buffer.from('b'));
  pieces.clear();
  t.true(pieces.isEmpty);
  t.is(pieces.shift(), undefined);
  pieces.add(Buffer.from('c'));
  t.is(pieces.join().toString(), 'c');
});
