import { BodyPieces } from '../../http/body-pieces.ts';
import { ProblemError } from '../../http/problem.ts';
import type { WorkBudget } from '../budgets.ts';
import { type FormField, MAX_FORM_FIELDS } from './body-fields.ts';
import type { FieldPath } from './field-path.ts';
import { InnerParts } from './inner-parts.ts';
import { invalidForm, type PartHead, readPartHead, readPartText, trimmedName } from './multipart-part.ts';

/** A part's head has a disposition and a type. Browsers need less than 1 KB, including file names. */
const MAX_PART_HEAD_BYTES = 8_192;
/** The room for line ends, since some clients write one too many. */
const MAX_EPILOGUE_BYTES = 8;
const CRLF = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
/** Measured: a byte that is read, and a part with its head. */
const BYTE_COST = 3;
const PART_COST = 5_000;

type Place = 'start' | 'behind boundary' | 'head' | 'content' | 'epilogue';

export interface MultipartOptions {
  readonly boundary: string;
  /** The `Content-Type` has the boundary in quotes. */
  readonly isQuoted?: boolean | undefined;
  /** The places of the email. */
  readonly places: readonly FieldPath[];
  /** The limit for heads and fields together; files do not count. */
  readonly limitBytes: number;
  readonly budget: WorkBudget;
}

/**
 * Reads `multipart/form-data` (RFC 7578) that all parsers read alike, and refuses the rest: text before the first
 * boundary or after the last (line ends are allowed), bare line feeds, texts that resemble the boundary, folded or
 * unknown part headers, transfer encodings, duplicate parameters.
 *
 * Takes the body in pieces of any size, and keeps no byte of the files.
 */
export class MultipartReader {
  readonly #options: MultipartOptions;
  readonly #delimiter: Buffer;
  readonly #otherDelimiters: readonly Buffer[];
  readonly #innerParts: InnerParts;
  readonly #fields: FormField[] = [];
  #place: Place = 'start';
  /** The bytes that are not parsed yet: always less than one head or boundary, and one piece. */
  #rest: Buffer = Buffer.alloc(0);
  #head: PartHead | null = null;
  #content = new BodyPieces();
  #contentBytes = 0;
  #keptBytes = 0;

  constructor(options: MultipartOptions) {
    this.#options = options;
    this.#delimiter = Buffer.from(`--${options.boundary}`);
    this.#otherDelimiters = otherBoundaries(options).map((boundary) => Buffer.from(`--${boundary}`));
    this.#innerParts = new InnerParts(options);
  }

  /** @throws {ProblemError} `invalid_request`, or `payload_too_large` for too many parts or too large fields. */
  write(piece: Buffer): void {
    this.#options.budget.spend(piece.length * BYTE_COST);
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    if (this.#otherDelimiters.some((delimiter) => this.#rest.includes(delimiter)))
      throw invalidForm('a text resembles the boundary');
    while (this.#step());
  }

  /** The fields of the complete parts so far. */
  get fields(): readonly FormField[] {
    return this.#fields;
  }

  /** @throws {ProblemError} `invalid_request` when the form is not complete. */
  end(): readonly FormField[] {
    if (this.#place === 'start') throw invalidForm('a boundary is missing');
    if (this.#place !== 'epilogue') throw invalidForm('the last boundary is missing');
    if (this.#rest.length % CRLF.length !== 0) throw invalidForm('something follows the last boundary');
    return [...this.#fields, ...this.#fields.flatMap((field) => this.#lenientFields(field))];
  }

  /** Parses the next item of the rest. False: more bytes are needed. */
  #step(): boolean {
    switch (this.#place) {
      case 'start':
        return this.#readStart();
      case 'behind boundary':
        return this.#readBoundaryEnd();
      case 'head':
        return this.#readHead();
      case 'content':
        return this.#readContent();
      case 'epilogue':
        if (this.#rest.length > MAX_EPILOGUE_BYTES || !/^(?:\r\n)*\r?$/.test(this.#rest.toString('latin1')))
          throw invalidForm('something follows the last boundary');
        return false;
    }
  }

  #readStart(): boolean {
    const delimiter = this.#delimiter;
    if (this.#rest.length < delimiter.length + CRLF.length) return false;
    // Unity starts with the line end that belongs to the boundary (RFC 2046 section 5.1.1).
    if (startsWith(this.#rest, CRLF)) this.#skip(CRLF.length);
    if (!startsWith(this.#rest, delimiter)) throw invalidForm('a boundary is missing');
    this.#skip(delimiter.length);
    this.#place = 'behind boundary';
    return true;
  }

  #readBoundaryEnd(): boolean {
    if (this.#rest.length < 2) return false;
    if (this.#rest.toString('latin1', 0, 2) === '--') {
      this.#place = 'epilogue';
    } else if (startsWith(this.#rest, CRLF)) {
      if (this.#fields.length === MAX_FORM_FIELDS)
        throw new ProblemError('payload_too_large', `The form has more than ${MAX_FORM_FIELDS} fields.`);
      this.#options.budget.spend(PART_COST);
      this.#place = 'head';
    } else {
      throw invalidForm('something follows a boundary on its line');
    }
    this.#skip(2);
    return true;
  }

  #readHead(): boolean {
    const window = this.#rest.subarray(0, MAX_PART_HEAD_BYTES + HEAD_END.length);
    const end = window.indexOf(HEAD_END);
    const head = end === -1 ? window : window.subarray(0, end);
    // Every occurrence of the boundary ends a part, also after a bare line feed: otherwise the boundary would count as
    // content.
    if (head.includes(this.#delimiter) || head.length > MAX_PART_HEAD_BYTES)
      throw invalidForm('a part has no head, or one that is too long');
    if (end === -1) return false;
    this.#head = readPartHead(head);
    this.#keep(end);
    this.#skip(end + HEAD_END.length);
    this.#contentBytes = 0;
    this.#place = 'content';
    return true;
  }

  #readContent(): boolean {
    const end = this.#rest.indexOf(this.#delimiter);
    if (end === -1) {
      // The end may be the beginning of a boundary and of the line end before it.
      this.#takeContent(this.#rest.length - this.#delimiter.length - CRLF.length);
      return false;
    }
    if (end < CRLF.length || !startsWith(this.#rest.subarray(end - CRLF.length), CRLF))
      throw invalidForm('a boundary does not start its line');
    this.#takeContent(end - CRLF.length);
    this.#finishPart();
    this.#skip(CRLF.length + this.#delimiter.length);
    this.#place = 'behind boundary';
    return true;
  }

  #takeContent(length: number): void {
    if (length <= 0) return;
    this.#contentBytes += length;
    this.#innerParts.write(this.#rest.subarray(0, length));
    if (this.#head && !this.#head.isFile) {
      this.#keep(length);
      this.#content.add(this.#rest.subarray(0, length));
    }
    this.#skip(length);
  }

  #finishPart(): void {
    const head = this.#head;
    if (!head) return;
    if (head.length !== null && head.length !== String(this.#contentBytes))
      throw invalidForm('the length of a part is wrong');
    const { name } = head;
    const otherNames = [...head.otherNames, ...this.#innerParts.take()];
    const content = head.isFile ? null : this.#content.join();
    const value = content && readPartText(head, content);
    this.#fields.push({
      name,
      value,
      ...(content !== null && value === null && { lenientText: content.toString('utf8') }),
      ...(otherNames.length > 0 && { otherNames }),
      ...(head.isNamedFile && { isNamedFile: true }),
    });
    this.#head = null;
    this.#content = new BodyPieces();
  }

  /** The field with the name or the value that only some parsers find. */
  #lenientFields(field: FormField): readonly FormField[] {
    const name = trimmedName(field.name);
    const values = field.value === null ? [] : this.#innerParts.beginningsOf(field.value);
    const cut = values.map((value) => ({ ...field, value, isLenient: true }));
    return name === null ? cut : [...cut, { ...field, name, isLenient: true }];
  }

  #keep(bytes: number): void {
    this.#keptBytes += bytes;
    const { limitBytes } = this.#options;
    if (this.#keptBytes > limitBytes)
      throw new ProblemError('payload_too_large', `The fields may have at most ${limitBytes} bytes.`);
  }

  #skip(length: number): void {
    this.#rest = this.#rest.subarray(length);
  }
}

/** WSAPI (Lua) takes double quotes as a part of the boundary; Jetty removes single quotes, once or twice. */
function otherBoundaries({ boundary, isQuoted }: MultipartOptions): readonly string[] {
  const [, once] = /^'(.+)'$/.exec(boundary) ?? [];
  const [, twice] = /^'(.+)'$/.exec(once ?? '') ?? [];
  return [isQuoted ? `"${boundary}` : undefined, once, twice].filter((other) => other !== undefined);
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0;
}
