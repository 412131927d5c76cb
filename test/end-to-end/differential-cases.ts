import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { BODIES, multipart } from './body-cases.ts';
import {
  BAD,
  type DifferentialCase,
  FORM,
  FORM_BODY,
  GOOD,
  JSON_TYPE,
  MULTIPART,
  make,
} from './differential-case.ts';
import { headerCases, methodCases } from './method-and-header-cases.ts';
import { targetCases } from './target-cases.ts';

/** A gzip member with a comment in its head (RFC 1952 section 2.3.1). */
function gzipWithComment(body: string, comment: string): Buffer {
  const member = gzipSync(body);
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 0x10;
  return Buffer.concat([head, Buffer.from(`${comment}\0`, 'latin1'), member.subarray(10)]);
}

const ENCODED: readonly (readonly [encoding: string | readonly string[], type: string, body: Buffer])[] = [
  ['gzip', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`)],
  ['GZIP', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`)],
  ['x-gzip', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`)],
  ['deflate', JSON_TYPE, deflateSync(`{"email":"${GOOD}"}`)],
  ['br', JSON_TYPE, brotliCompressSync(`{"email":"${GOOD}"}`)],
  ['gzip', FORM, gzipSync(FORM_BODY)],
  ['gzip', MULTIPART, gzipSync(multipart(['email', GOOD]))],
  ['identity', FORM, Buffer.from(FORM_BODY)],
  ['', FORM, Buffer.from(FORM_BODY)],
  ['gzip, gzip', JSON_TYPE, gzipSync(gzipSync(`{"email":"${BAD}"}`))],
  [['gzip', 'gzip'], JSON_TYPE, gzipSync(gzipSync(`{"email":"${BAD}"}`))],
  [['identity', 'gzip'], JSON_TYPE, gzipSync(`{"email":"${BAD}"}`)],
  ['gzip;q=1', JSON_TYPE, gzipSync(`{"email":"${BAD}"}`)],
  ['zstd', JSON_TYPE, Buffer.from(`{"email":"${BAD}"}`)],
  ['compress', FORM, Buffer.from(`email=${BAD}`)],
  ['gzip', JSON_TYPE, Buffer.from(`{"email":"${BAD}"}`)],
  ['br', FORM, Buffer.from(`email=${BAD}`)],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(`{"email":"${GOOD}",`), gzipSync(`"Email":"${BAD}"}`)])],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(`{"email":"${GOOD}"}`), gzipSync(' ')])],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(''), gzipSync(`{"email":"${BAD}"}`)])],
  ['gzip', JSON_TYPE, Buffer.concat([gzipSync(`{"email":"${GOOD}"}`), Buffer.from(`&email=${BAD}`)])],
  ['gzip', JSON_TYPE, gzipSync(`{"email":"${GOOD}"}`).subarray(0, -4)],
  ['deflate', FORM, Buffer.concat([deflateSync(FORM_BODY), Buffer.from(`&email=${BAD}`)])],
  ['br', FORM, Buffer.concat([brotliCompressSync(FORM_BODY), Buffer.from(`&email=${BAD}`)])],
  ['gzip', FORM, gzipWithComment(FORM_BODY, `&email=${BAD}&`)],
  ['gzip', FORM, gzipWithComment(FORM_BODY, `;email=${BAD};`)],
  ['gzip', MULTIPART, gzipWithComment(multipart(['email', GOOD]), `\r\n${multipart(['email', BAD])}`)],
  ['gzip', JSON_TYPE, gzipSync(Buffer.alloc(20_000_000))],
];

const QUERIES = [
  `email=${GOOD}`,
  `email=${BAD}`,
  `email[]=${BAD}`,
  `Email=${BAD}`,
  `%65mail=${BAD}`,
  `x;email=${BAD}`,
  `email=`,
  `email%00=${BAD}`,
  `a=1&email=${BAD}#x`,
];

function bodies(): DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  for (const target of ['/signup', '/join']) {
    for (const [i, [type, body]] of BODIES.entries())
      cases.push(make(`${target} body ${i} ${String(type)}`, { target, type, body }));
    for (const [i, [encoding, type, body]] of ENCODED.entries()) {
      const headers = [encoding].flat().map((value) => ['Content-Encoding', value] as const);
      cases.push(make(`${target} encoded ${i} ${String(encoding)} ${type}`, { target, type, headers, body }));
    }
    for (const query of QUERIES) {
      cases.push(make(`${target}?${query} form`, { target: `${target}?${query}` }));
      cases.push(
        make(`${target}?${query} JSON`, {
          target: `${target}?${query}`,
          type: JSON_TYPE,
          body: `{"email":"${GOOD}"}`,
        }),
      );
      cases.push(make(`${target}?${query} empty form`, { target: `${target}?${query}`, body: 'x=1' }));
    }
  }
  return cases;
}

/** Everything that is written down. */
export function craftedCases(): readonly DifferentialCase[] {
  return [...targetCases(), ...methodCases(), ...headerCases(), ...bodies()];
}
