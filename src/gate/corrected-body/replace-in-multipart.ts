import { readPartHead } from '../signup-body/multipart-part.ts';
import { type EmailReplacement, isReplaced } from './email-replacement.ts';

const CRLF = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
/** A mailbox has at most 254 bytes. */
const MAX_VALUE_BYTES = 512;

/**
 * Replaces an email in `multipart/form-data`, in each field that is not a file. All other bytes stay unchanged. The
 * form was read before, so its parts are valid.
 *
 * @returns null when no value is the email.
 */
export function replaceInMultipart(
  bytes: Buffer,
  boundary: string,
  replacement: EmailReplacement,
): Buffer | null {
  const delimiter = Buffer.from(`--${boundary}`);
  const pieces: Buffer[] = [];
  let kept = 0;
  let begin = bytes.indexOf(delimiter);
  while (begin !== -1) {
    const headBegin = begin + delimiter.length + CRLF.length;
    const next = bytes.indexOf(delimiter, headBegin);
    if (next === -1) break;
    const headEnd = bytes.indexOf(HEAD_END, headBegin);
    const valueBegin = headEnd + HEAD_END.length;
    const valueEnd = next - CRLF.length;
    if (headEnd !== -1 && valueBegin <= valueEnd && valueEnd - valueBegin <= MAX_VALUE_BYTES) {
      const head = bytes.subarray(headBegin, headEnd);
      if (isEmailPart(head, bytes.toString('utf8', valueBegin, valueEnd), replacement)) {
        const value = Buffer.from(replacement.corrected);
        pieces.push(bytes.subarray(kept, headBegin), withLength(head, value.length), HEAD_END, value);
        kept = valueEnd;
      }
    }
    begin = next;
  }
  return pieces.length > 0 ? Buffer.concat([...pieces, bytes.subarray(kept)]) : null;
}

function isEmailPart(head: Buffer, value: string, replacement: EmailReplacement): boolean {
  const { name, isFile } = readPartHead(head);
  return !isFile && isReplaced(name, value, replacement);
}

/** Some clients send the length of each part. */
function withLength(head: Buffer, length: number): Buffer {
  const text = head.toString('latin1');
  const changed = text.replace(/^(content-length:[ \t]*)\d+/im, (_line, name: string) => `${name}${length}`);
  return Buffer.from(changed, 'latin1');
}
