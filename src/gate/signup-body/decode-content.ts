import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { ProblemError } from '../../http/problem.ts';

type Decoder = (
  bytes: Buffer,
  options: ZlibOptions,
  callback: (error: Error | null, result: unknown) => void,
) => void;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip as Decoder],
  ['x-gzip', gunzip as Decoder],
  ['deflate', inflate as Decoder],
  ['br', brotliDecompress as Decoder],
]);

/**
 * Decodes one content encoding for judging; the original bytes are forwarded. Works off the event loop, and never
 * beyond the limit.
 * @param values All values of `Content-Encoding`, one for each line.
 * @throws {ProblemError} 415 for an unknown encoding or more than one, 413 beyond the limit, 400 for invalid data, or
 *   for data after the end that another decoder would read.
 */
export async function decodeContent(
  bytes: Buffer,
  values: readonly string[],
  limitBytes: number,
): Promise<Buffer> {
  const [value = 'identity', ...more] = values;
  const encoding = value.trim().toLowerCase();
  if (more.length === 0 && encoding === 'identity') return bytes;
  const decode = more.length === 0 ? DECODERS.get(encoding) : undefined;
  if (!decode) {
    throw new ProblemError(
      'unsupported_media_type',
      'The content encoding is not one of gzip, deflate and br.',
    );
  }
  if (encoding === 'deflate' && isRawDeflate(bytes))
    throw new ProblemError(
      'invalid_request',
      'The encoded body can be decoded in two ways: send it as gzip.',
    );
  const { buffer, engine } = await run(decode, bytes, limitBytes);
  const isWhole =
    engine.bytesWritten === bytes.length && (decode !== DECODERS.get('gzip') || isOneMember(bytes, buffer));
  if (!isWhole) throw new ProblemError('invalid_request', 'Something follows the encoded body.');
  return buffer;
}

interface Decoded {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function run(decode: Decoder, bytes: Buffer, limitBytes: number): Promise<Decoded> {
  return new Promise((resolve, reject) => {
    const options = { maxOutputLength: limitBytes, info: true };
    decode(bytes, options, (error, result) => {
      if (!error) return resolve(result as Decoded);
      const isTooLarge = 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      reject(
        isTooLarge
          ? new ProblemError('payload_too_large', `The decoded body is larger than ${limitBytes} bytes.`)
          : new ProblemError('invalid_request', 'The body is not encoded as its Content-Encoding says.', {
              cause: error,
            }),
      );
    });
  });
}

/**
 * Some decoders read a second gzip member and others ignore it. The length in the last member (RFC 1952 ISIZE) reveals
 * it.
 */
function isOneMember(bytes: Buffer, decoded: Buffer): boolean {
  return bytes.length >= 18 && bytes.readUInt32LE(bytes.length - 4) === decoded.length;
}

/**
 * Some servers (Ktor) expect `deflate` without the head of zlib (RFC 1950). They read the first byte of a zlib stream as
 * the head of a stored block, and then find its length and the complement (RFC 1951 section 3.2.4). One ordinary stream
 * in 65,536 is refused too.
 */
function isRawDeflate(bytes: Buffer): boolean {
  return bytes.length >= 5 && (bytes.readUInt16LE(1) ^ bytes.readUInt16LE(3)) === 0xffff;
}
