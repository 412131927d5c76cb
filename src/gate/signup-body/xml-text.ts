/** The parts of a document that a reader of XML drops or unwraps. They may stand between two letters of a word. */
const MARKS = {
  '<!--': { end: '-->', isShown: false, endBegins: /-{1,2}$/ },
  '<?': { end: '?>', isShown: false, endBegins: /\?$/ },
  '<![CDATA[': { end: ']]>', isShown: true, endBegins: /\]{1,2}$/ },
} as const;
type Mark = (typeof MARKS)[keyof typeof MARKS];

const MARK = /<!--|<\?|<!\[CDATA\[/;
/** A mark or a reference that continues in the next piece. */
const BEGUN = /(?:<(?:!(?:-|\[[CDAT]{0,5})?)?|&[#\w]*)$/;
/** No honest reference has as many zeros. */
const MAX_REFERENCE = 1_000;
/** Zeros may precede the number. */
const REFERENCE = /&#(?:0*(\d{1,7})|x0*([0-9a-f]{1,6}));/gi;
const ENTITY = /<!ENTITY/;

/** Whether a reader of XML may read a body, by its types and its first bytes. A picture (SVG) is no form. */
export function isLikeXml(contentTypes: readonly string[], start: string): boolean {
  if (contentTypes.some((type) => /^\s*image\//i.test(type))) return false;
  return contentTypes.some((type) => /xml/i.test(type)) || /^[^\w<]*</.test(start);
}

/**
 * The text of a document as its readers see it, piece by piece: without comments and instructions, with the content of
 * CDATA, with references to characters decoded (`r&#101;gister`, `re<!-- -->gister`).
 */
export class XmlText {
  #inside: Mark | null = null;
  #begun = '';
  #tail = '';

  /** Set when the document defines entities, which may hold any part of a word, or has an endless reference. */
  mayHideWords = false;

  /** @returns The text of this piece. */
  write(piece: string): string {
    let rest = this.#begun + piece;
    this.#begun = '';
    let shown = '';
    while (rest !== '') {
      const [text, after] = this.#inside ? this.#leave(this.#inside, rest) : this.#enter(rest);
      shown += text;
      rest = after;
    }
    this.#tail += shown;
    this.mayHideWords ||= ENTITY.test(this.#tail) || this.#begun.length > MAX_REFERENCE;
    this.#tail = this.#tail.slice(-ENTITY.source.length);
    return shown.replace(REFERENCE, (_, decimal, hex) =>
      characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)),
    );
  }

  /** The text before the next mark, and everything behind the mark. */
  #enter(text: string): readonly [shown: string, rest: string] {
    const found = MARK.exec(text);
    if (!found) return this.#keepBegun(text, BEGUN);
    const [mark] = found;
    this.#inside = MARKS[mark as keyof typeof MARKS];
    return [text.slice(0, found.index), text.slice(found.index + mark.length)];
  }

  #leave(mark: Mark, text: string): readonly [shown: string, rest: string] {
    const at = text.indexOf(mark.end);
    const [content, rest] =
      at === -1
        ? this.#keepBegun(text, mark.endBegins)
        : ([text.slice(0, at), text.slice(at + mark.end.length)] as const);
    if (at !== -1) this.#inside = null;
    return [mark.isShown ? content : '', rest];
  }

  #keepBegun(text: string, begun: RegExp): readonly [shown: string, rest: string] {
    [this.#begun = ''] = begun.exec(text) ?? [];
    return [text.slice(0, text.length - this.#begun.length), ''];
  }
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
