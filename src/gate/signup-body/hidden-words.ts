/**
 * Charsets that keep ASCII readable, at least without the NULs. Missing on purpose: UTF-7, EBCDIC, the ISO 2022
 * charsets, which allow escapes between two letters, and words that only some readers accept as a charset (`base64`).
 */
const SHOWS_ASCII =
  /^(?:|utf-?(?:8|16|32)(?:le|be)?|ucs-?[24]|(?:us-)?ascii|latin-?\d{1,2}|l1|iso[-_]?8859[-_]?\d{1,2}|(?:x-)?(?:windows|cp|ms|ibm)-?(?:125\d|874|93[26]|949|950|31j)|gbk?|gb-?(?:2312|18030)|big5(?:-hkscs)?|euc-?(?:jp|kr|cn|tw)|(?:x-)?s(?:hift)?[-_]?jis|koi8-?[ru]|tis-?620|macintosh)$/i;
const CHARSET = /charset[*\d]*\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s;,"']*))/gi;
/** Signs in the head of a part: a name in pieces, or an encoded word (RFC 2047). */
const ENCODED_NAME = /[\s;]name\*|=\?[^?\s]{1,60}\?[bq]\?/i;
/**
 * A part with encoded content: every encoding except the plain ones on one short line. The line is complete, because the
 * next piece of a body repeats the end of the last one.
 */
const ENCODED_CONTENT =
  /content-(?:transfer-)?encoding[ \t]*:(?![ \t]{0,20}(?:7bit|8bit|binary|identity)[ \t]{0,20}\r?\n[^ \t])(?:[^\n]{0,100}\n[\s\S]|[^\n]{101})/i;
/** PHP appends a line without a colon to the line before, so that a name may be on two lines. */
const NAME_ON_LINES = /\ncontent-disposition[ \t]*:[^\n]*\n[^\r\n:]+\r?\n/i;
/** A complete type with the lines that continue it. The second group is set when no real type is as long. */
const TYPE_OF_PART =
  /\n[ \t]*content-type[ \t]*:(?=((?:[^\n]|\n[ \t]){0,400}))\1(?:(?=\n[^ \t])|([^\n]|\n[ \t]))/gi;
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
  if (ENCODED_CONTENT.test(text) || ENCODED_NAME.test(text) || NAME_ON_LINES.test(text)) return true;
  let parts = 0;
  for (const [, type = '', more] of text.matchAll(TYPE_OF_PART))
    if (++parts > MAX_PARTS || more !== undefined || mayHideWords(type)) return true;
  return false;
}
