/**
 * Splits one record of RFC 4180. White space around an unquoted field is dropped, quoted fields stay as they are. Made
 * here because csv-parse reads a whole stream: after one stray quote it takes all that follows for a quoted field, and
 * a history would lose its rest; a record at a time, one bad row costs one row.
 *
 * @returns `open` when the text ends inside quotes, so that the record may go on in the next line; null when a quote
 * stands where none may.
 */
export function splitCsvRecord(text: string, delimiter: string): readonly string[] | 'open' | null {
  if (!text.includes('"')) return text.split(delimiter).map((field) => field.trim());
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const start = skipBlanks(text, at, delimiter);
    if (text[start] === '"') {
      const end = closingQuote(text, start);
      if (end === -1) return 'open';
      fields.push(text.slice(start + 1, end).replaceAll('""', '"'));
      at = skipBlanks(text, end + 1, delimiter);
      if (at < text.length && text[at] !== delimiter) return null;
    } else {
      const found = text.indexOf(delimiter, start);
      at = found === -1 ? text.length : found;
      const field = text.slice(start, at);
      if (field.includes('"')) return null;
      fields.push(field.trimEnd());
    }
    if (at >= text.length) return fields;
    at++;
  }
}

/** The delimiter may be a blank itself: a tab. */
function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at++;
  return at;
}

/** The quote that ends the field; two in a row are one in it. -1 when there is none. */
function closingQuote(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1 || text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
}
