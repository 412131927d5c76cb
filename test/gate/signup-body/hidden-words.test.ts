import test from 'ava';
import { mayBeSignup } from './look-at-pieces.ts';

const MULTIPART = 'multipart/form-data; boundary=X';
const LONG = 'y'.repeat(2_000);

/** A form with `action`, whose value is `register` only for a reader that heeds these lines of its head. */
function partWith(...lines: readonly string[]): string {
  return `--X\r\n${lines.join('\r\n')}\r\nContent-Disposition: form-data; name="action"\r\n\r\ncmVnaXN0ZXI=\r\n--X--\r\n`;
}

const HIDING: readonly (readonly [what: string, ...lines: string[]])[] = [
  ['a transfer encoding', 'Content-Transfer-Encoding: base64'],
  ['a transfer encoding behind white space', `Content-Transfer-Encoding:${' \t'.repeat(100)}base64`],
  ['a transfer encoding behind much white space', `Content-Transfer-Encoding:${' '.repeat(5_000)}base64`],
  ['a transfer encoding on the next line', 'Content-Transfer-Encoding:', ' base64'],
  ['a transfer encoding that begins plain', 'Content-Transfer-Encoding: 7bit', '\tbase64'],
  ['a transfer encoding behind a word', 'Content-Transfer-Encoding: 7bit, base64'],
  ['a compressed part', 'Content-Encoding: deflate'],
  ['a part compressed twice', 'Content-Encoding: identity, gzip'],
  ['a charset', 'Content-Type: text/plain; charset=utf-7'],
  ['a charset on the next line', 'Content-Type: text/plain; charset=', ' utf-7'],
  ['a type on the next line', 'Content-Type:', ' text/plain; charset=utf-7'],
  ['a charset at the end of a long type', `Content-Type: text/plain; x=${LONG}; charset=utf-7`],
  ['a charset behind many lines', 'Content-Type: x/y;', ...Array(300).fill(' x;'), ' charset=utf-7'],
  ['a charset in an indented line', ' Content-Type: text/plain; charset=utf-7'],
];

for (const [what, ...lines] of HIDING) {
  test(`a value behind ${what} may fulfil a condition`, (t) => {
    for (const pieceSize of [1_000_000, 1_500, 700])
      t.true(mayBeSignup(partWith(...lines), { type: MULTIPART, pieceSize }), `${pieceSize}`);
  });
}

const PLAIN: readonly (readonly [what: string, ...lines: string[]])[] = [
  ['no other line', 'X: y'],
  ['a plain transfer encoding', 'Content-Transfer-Encoding: binary'],
  ['a plain transfer encoding with spaces', 'Content-Transfer-Encoding:  8BIT '],
  ['a plain encoding', 'Content-Encoding: identity'],
  ['a charset with ASCII in it', 'Content-Type: text/plain; charset=utf-8'],
  ['a charset with ASCII in it on the next line', 'Content-Type: text/plain;', ' charset=utf-8'],
];

for (const [what, ...lines] of PLAIN) {
  test(`a value behind ${what} is what the bytes show`, (t) => {
    const body = partWith(...lines);
    for (let pieceSize = 1; pieceSize < body.length; pieceSize++)
      t.false(mayBeSignup(body, { type: MULTIPART, pieceSize }), `${pieceSize}`);
  });
}
