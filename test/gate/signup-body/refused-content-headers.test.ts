import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { type Case, FORM, MULTIPART, part, read } from './read-sent-body.ts';

/** A gzip member with a comment in its head (RFC 1952 section 2.3.1). */
function withComment(member: Buffer, comment: string): Buffer {
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 0x10;
  return Buffer.concat([head, Buffer.from(`${comment}\0`, 'latin1'), member.subarray(10)]);
}

const REFUSED: readonly Case[] = [
  ['no content type', '{"email":"a@b.co"}', { type: [] }, 415],
  ['two content types', '{"email":"a@b.co"}', { type: ['application/json', FORM] }, 415],
  ['two in one', '{"email":"a@b.co"}', { type: `application/json, ${FORM}` }, 415],
  ['text', '{"email":"a@b.co"}', { type: 'text/plain' }, 415],
  ['another charset', '{"email":"a@b.co"}', { type: 'application/json; charset=utf-16' }, 415],
  ['a charset twice', '{"email":"a@b.co"}', { type: 'application/json; charset=utf-8; charset=utf-7' }, 415],
  [
    'a charset in another parameter',
    'email=a%40b.co&%2BAGU-mail=c%40d.co',
    { type: `${FORM}; xcharset=utf-7; charset=utf-8` },
    415,
  ],
  [
    'a charset inside another parameter',
    'email=a%40b.co&%2BAGU-mail=c%40d.co',
    { type: `${FORM}; x="charset = utf-7"` },
    415,
  ],
  [
    'a charset in the boundary',
    `${part('email', 'a@b.co')}${part('+AGU-mail', 'c@d.co')}--X--`.replaceAll('--X', '--charset=utf-7'),
    { type: 'multipart/form-data; boundary="charset=utf-7"' },
    415,
  ],
  [
    'a boundary with a name in upper case',
    `${part('x', '\r\n--\r\n')}${part('email', 'a@b.co')}--X--`,
    { type: 'multipart/form-data; BOUNDARY=X' },
    415,
  ],
  ['JSON called a form', '{"email":"c@d.co","x":"&email=a@b.co&"}', { type: FORM }, 415],
  ['JSON called a form, indented', ' \n[{"email":"c@d.co"}]&email=a@b.co', { type: FORM }, 415],
  [
    'JSON that calls itself multipart too',
    '{"email":"a@b.co"}',
    { type: 'application/json; x=multipart/form-data; boundary=X' },
    415,
  ],
  [
    'JSON that calls itself a form too',
    '{"email":"a@b.co"}',
    { type: 'application/json; x=urlencoded' },
    415,
  ],
  [
    'gzip with a form in its head',
    withComment(gzipSync('email=a%40b.co'), '&email=c%40d.co&'),
    { type: FORM, encoding: 'gzip' },
    400,
  ],
  [
    'gzip with a multipart form in its head',
    withComment(gzipSync(`${part('email', 'a@b.co')}--X--`), `\r\n${part('email', 'c@d.co')}--X--`),
    { type: MULTIPART, encoding: 'gzip' },
    400,
  ],
  [
    'something behind brotli',
    Buffer.concat([brotliCompressSync('{"email":"a@b.co"}'), Buffer.from('x')]),
    { encoding: 'br' },
    400,
  ],
  ['two encodings', gzipSync(gzipSync('{}')), { encoding: 'gzip, gzip' }, 415],
  ['an unknown encoding', '{}', { encoding: 'zstd' }, 415],
  ['plain data called gzip', '{"email":"a@b.co"}', { encoding: 'gzip' }, 400],
  [
    'two gzip members',
    Buffer.concat([gzipSync('{"email":"a@b.co"}'), gzipSync('  ')]),
    { encoding: 'gzip' },
    400,
  ],
  [
    'something behind deflate',
    Buffer.concat([deflateSync('{"email":"a@b.co"}'), Buffer.from('x')]),
    { encoding: 'deflate' },
    400,
  ],
  ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), { encoding: 'gzip' }, 413],
];

for (const [what, body, sent, status] of REFUSED) {
  test(`${what} is refused with ${status}`, async (t) => {
    t.deepEqual(await read(body, sent), status);
  });
}
