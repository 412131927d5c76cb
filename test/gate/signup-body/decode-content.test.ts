import { deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import test from 'ava';
import { decodeContent } from '../../../src/gate/signup-body/decode-content.ts';
import { ProblemError } from '../../../src/http/problem.ts';

/** The checksum at the end of a zlib stream (RFC 1950 section 8.2). */
function adler32(bytes: Buffer): Buffer {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return Buffer.from([b >> 8, b & 255, a >> 8, a & 255]);
}

/** A stored block (RFC 1951 section 3.2.4). */
function stored(text: Buffer, isLast: boolean): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isLast ? 1 : 0);
  head.writeUInt16LE(text.length, 1);
  head.writeUInt16LE(~text.length & 0xffff, 3);
  return Buffer.concat([head, text]);
}

/**
 * A zlib stream that is a raw deflate stream too. A raw reader takes the first byte for a stored block, and the next
 * four for its length: 1. The block of the zlib reader then has 65,534 bytes, and holds the blocks of the raw reader.
 */
function ofBothKinds(ofZlib: string, ofRaw: string): Buffer {
  const blocks = [stored(Buffer.from(ofZlib), false), stored(Buffer.from(ofRaw), true)];
  // The first byte of the first block is the last byte of the head of the zlib reader's block.
  const text = Buffer.alloc(0xfffe, 'x');
  Buffer.concat(blocks).copy(text, 0, 1);
  const head = Buffer.from([0x78, 0x01]);
  return Buffer.concat([head, stored(text, false), stored(Buffer.alloc(0), true), adler32(text)]);
}

test('a zlib stream that some readers decode as raw deflate is refused', async (t) => {
  const bytes = ofBothKinds('email=a%40company.example&x=', '&email=evil%40burner.example');
  t.is(inflateSync(bytes).length, 0xfffe);
  t.is(
    inflateRawSync(bytes).toString('latin1'),
    '\x01email=a%40company.example&x=&email=evil%40burner.example',
  );
  const error = await t.throwsAsync(decodeContent(bytes, ['deflate'], 1_000_000), {
    instanceOf: ProblemError,
  });
  t.is((error as ProblemError).code, 'invalid_request');
});

test('an ordinary zlib stream of any level is decoded', async (t) => {
  for (let level = 0; level <= 9; level++) {
    const bytes = deflateSync('email=a%40company.example', { level });
    t.is(
      (await decodeContent(bytes, ['deflate'], 1_000)).toString(),
      'email=a%40company.example',
      `${level}`,
    );
  }
});
