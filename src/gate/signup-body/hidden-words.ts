/**
 * Charsets that keep ASCII readable, at least without the NULs. Missing on purpose: UTF-7, EBCDIC, the ISO 2022
 * charsets, which allow escapes between two letters, and words that only some readers accept as a charset (`base64`).
 */
const SHOWS_ASCII =
  /^(?:|utf-?(?:8|16|32)(?:le|be)?|ucs-?[24]|(?:us-)?ascii|latin-?\d{1,2}|l1|iso[-_]?8859[-_]?\d{1,2}|(?:x-)?(?:windows|cp|ms|ibm)-?(?:125\d|874|93[26]|949|950|31j)|gbk?|gb-?(?:2312|18030)|big5(?:-hkscs)?|euc-?(?:jp|kr|cn|tw)|(?:x-)?s(?:hift)?[-_]?jis|koi8-?[ru]|tis-?620|macintosh)$/i;
const CHARSET = /charset[*\d]*\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s;,"']*))/gi;
/** Signs in the head of a part: a value in a transfer encoding, a name in pieces, or an encoded word (RFC 2047). */
const ENCODED_PART =
  /transfer-encoding[ \t]*:[^\r\n]{0,50}(?:base64|quoted)|[\s;]name\*|=\?[^?\s]{1,60}\?[bq]\?/i;
/** PHP appends a line without a colon to the line before, so that a name may be on two lines. */
const NAME_ON_LINES = /\ncontent-disposition[ \t]*:[^\n]*\n[^\r\n:]+\r?\n/i;
const TYPE_OF_PART = /\ncontent-type[ \t]*:([^\n]{0,400})/gi;
/** Forms with more parts are refused. */
const MAX_PARTS = 1_000;

/** Whether a content type names a charset that can hide ASCII words. */
export function mayHideWords(contentType: string): boolean {
  for (const [, ...values] of contentType.matchAll(CHARSET)) {
    const charset = values.find((value) => value !== undefined) ?? '';
    if (!SHOWS_ASCII.test(charset.trim())) return true;
  }
  return false;
}

/** The same for a part of a multipart form, by its head. */
export function holdsHidingPart(text: string): boolean {
  if (ENCODED_PART.test(text) || NAME_ON_LINES.test(text)) return true;
  let parts = 0;
  for (const [, type = ''] of text.matchAll(TYPE_OF_PART))
    if (++parts > MAX_PARTS || mayHideWords(type)) return true;
  return false;
}
