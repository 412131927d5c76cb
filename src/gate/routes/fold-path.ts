/**
 * One path as configuration means it: decoded, folded, without doubled or trailing slashes. Names of a configuration are
 * short, so nothing here is counted.
 */
export function foldPath(path: string): string {
  return trimEnd(foldCharacters(decodePercent(path)).replace(/\/{2,}/g, '/'));
}

/** Decodes once. An escape that is no UTF-8 is read byte by byte, as old servers do. */
export function decodePercent(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const text = decodeEscapes(escapes);
    return text.includes('\ufffd')
      ? Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('latin1')
      : text;
  });
}

/** Decodes once. Bytes that are no UTF-8 become U+FFFD. */
export function decodeAsUtf8(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, decodeEscapes);
}

function decodeEscapes(escapes: string): string {
  // One or two, as nearly always: a sixth of what a buffer costs.
  const first = Number.parseInt(escapes.slice(1, 3), 16);
  if (escapes.length === 3) return first < 0x80 ? String.fromCharCode(first) : '\ufffd';
  if (escapes.length === 6) {
    const second = Number.parseInt(escapes.slice(4), 16);
    if (first < 0x80 && second < 0x80) return String.fromCharCode(first, second);
    if (first >= 0xc2 && first <= 0xdf && second >> 6 === 2)
      return String.fromCharCode(((first & 0x1f) << 6) | (second & 0x3f));
  }
  return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8');
}

/**
 * Compatibility forms, case, and characters that are not shown: `ＳＩＧＮＵＰ`, `ſignup` and `sıgnup` are `signup`. Upper
 * case first, because some letters only meet there; `\u0130` leaves a dot behind.
 *
 * Normalization sorts combining marks, which takes quadratic time: ask `isFoldable` first where a stranger wrote the text.
 */
export function foldCharacters(path: string): string {
  if (isAscii(path)) return path.toLowerCase();
  const visible = dropIgnorable(dropIgnorable(path).normalize('NFKC'));
  return swapCase(visible).normalize('NFKC').replaceAll('i\u0307', 'i');
}

/** Upper case and back. Both sigmas are one, or each would look at what is around it. */
export function swapCase(text: string): string {
  return text.toUpperCase().replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/**
 * Whether folding costs no more than a fixed amount a character: at most 30 combining marks in a row, as in the
 * Stream-Safe Text Format (Unicode Standard Annex 15, section 13). Nothing that is written by people has more.
 */
export function isFoldable(path: string): boolean {
  return isAscii(path) || !/[\p{M}\uff9e\uff9f]{31}/u.test(dropIgnorable(path));
}

export function isAscii(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

export function dropIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
}

/** Trailing slashes (Express, Koa), dots and spaces (Windows file systems) are dropped by those who read them. */
export function trimEnd(path: string): string {
  // From the end: `/[/.\s]+$/` takes 0.4 s for 15,000 slashes in the middle.
  let end = path.length;
  while (end > 0 && isDropped(path, end - 1)) end--;
  const trimmed = end === path.length ? path : path.slice(0, end);
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}

function isDropped(path: string, at: number): boolean {
  const code = path.charCodeAt(at);
  if (code > 0x7f) return /\s/.test(path.charAt(at));
  return code === 0x2f || code === 0x2e || code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
