import { fieldsInText } from './fields-in-text.ts';

/** A field of a body, in any notation. */
export interface PassingField {
  /** Written like the `email` of a route. */
  readonly place: string;
  readonly value: string;
  /** Whether a route with this place finds the value. */
  readonly isReadable: boolean;
}

const MAX_NAME_CHARACTERS = 200;
const MAX_DEPTH = 6;
/** Values that are texts with fields. Reading one takes 10 µs. */
const MAX_TEXTS_INSIDE = 4;

/** After a byte order mark too, which `\s` includes. */
const BEGINS_JSON = /^\s*[{[]/;
/** JSON, or a document of GraphQL. */
const BEGINS_DOCUMENT = /^\s*(?:[{[#]|mutation\b|query\b|subscription\b|fragment\b)/;
/** It has no mark of another notation. */
const ENCODED_FORM = /^[^\s<>{}"]*$/;

/** The name of a part of a multipart body, with or without quotes. */
const NAME = ' name=';
const HEAD_END = '\r\n\r\n';

/** Reads the fields of one body: a form, JSON, multipart, or names and values of another notation. */
export class PassingFields {
  #textsInside = 0;

  /** @param maxBytes How much of the body is read. */
  *read(bytes: Buffer, maxBytes: number): Generator<PassingField> {
    const text = bytes.toString('utf8', 0, maxBytes);
    const isLikeJson = BEGINS_JSON.test(text);
    if (isLikeJson) {
      const json = parseJson(text);
      if (json !== null) return yield* this.#membersOf(json, '', 0, true);
    } else if (text.startsWith('--')) {
      let hasParts = false;
      for (const part of this.#partsOf(text)) {
        hasParts = true;
        yield part;
      }
      // Without the texts of its files.
      if (hasParts) return;
    } else {
      for (const [place, value] of new URLSearchParams(text)) yield* this.#withInner(place, value, 0, true);
      if (ENCODED_FORM.test(text)) return;
    }
    // The gate reads JSON beyond the first bytes.
    yield* fieldsOf(text, '', isLikeJson && bytes.length > maxBytes);
  }

  *#partsOf(text: string): Generator<PassingField> {
    let at = text.indexOf(NAME);
    while (at !== -1) {
      const begin = at + NAME.length + (text[at + NAME.length] === '"' ? 1 : 0);
      const valueBegin = text.indexOf(HEAD_END, begin);
      if (valueBegin === -1) return;
      const [name = ''] = text
        .slice(begin, Math.min(valueBegin, begin + MAX_NAME_CHARACTERS))
        .split(/["';\r\n]/, 1);
      const valueEnd = text.indexOf('\r\n', valueBegin + HEAD_END.length);
      const value = text.slice(valueBegin + HEAD_END.length, valueEnd === -1 ? undefined : valueEnd);
      const isFile = value.includes('@') && text.slice(begin, valueBegin).includes('filename');
      if (isFile) yield { place: name, value, isReadable: true };
      else yield* this.#withInner(name, value, 0, true);
      at = valueEnd === -1 ? -1 : text.indexOf(NAME, valueEnd);
    }
  }

  *#membersOf(value: unknown, place: string, depth: number, isReadable: boolean): Generator<PassingField> {
    if (typeof value === 'string') yield* this.#withInner(place, value, depth, isReadable);
    if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return;
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      // An item of a list has the place of the list, and no route finds it.
      const path = isList ? place : place === '' ? name : `${place}.${name}`;
      yield* this.#membersOf(member, path, depth + 1, isReadable && !isList);
    }
  }

  /** A value, and the fields inside it when it is JSON or a GraphQL document. No route finds these. */
  *#withInner(place: string, value: string, depth: number, isReadable: boolean): Generator<PassingField> {
    yield { place, value, isReadable };
    if (!value.includes('@') || !BEGINS_DOCUMENT.test(value) || depth === MAX_DEPTH) return;
    if (++this.#textsInside > MAX_TEXTS_INSIDE) return;
    const json = BEGINS_JSON.test(value) ? parseJson(value) : null;
    if (json === null) yield* fieldsOf(value, place, false);
    else yield* this.#membersOf(json, place, depth + 1, false);
  }
}

function* fieldsOf(text: string, place: string, isReadable: boolean): Generator<PassingField> {
  for (const [name, value] of fieldsInText(text))
    yield { place: place === '' ? name : `${place}.${name}`, value, isReadable };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.trimStart());
  } catch {
    return null;
  }
}
