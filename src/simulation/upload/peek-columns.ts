import { parseMailbox } from '../../addresses/email-address.ts';
import { parseIpAddress } from '../../addresses/ip-address.ts';
import { splitCsvRecord } from '../csv-record.ts';
import { splitHeader } from '../csv-rows.ts';
import { HistoryError, type Line, MAX_LINE_BYTES, readLines } from '../read-lines.ts';
import { type FoundColumns, findColumns } from '../signup-columns.ts';
import { parseSignupTime } from '../signup-time.ts';
import { maskExample } from './mask-example.ts';

/** The columns of a file and the recognised fields, before a signup is judged. */
export interface PeekedFile {
  readonly columns: readonly {
    readonly name: string;
    /** Some masked values; empty when the column is empty in the first rows. */
    readonly examples: readonly string[];
  }[];
  readonly found: FoundColumns;
}

const PEEKED_BYTES = 2 * MAX_LINE_BYTES;
const MAX_COLUMNS = 200;
const MAX_EXAMPLES = 3;
const EXAMPLE_ROWS = 20;

const SAVE_AS = 'In a spreadsheet, save it as “CSV UTF-8”, and upload that file.';
/** The first bytes of files that are not text files. */
const KINDS: readonly (readonly [Buffer, string])[] = [
  [Buffer.from('PK'), `This is a workbook or an archive, not a CSV file. ${SAVE_AS}`],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), `This is a workbook, not a CSV file. ${SAVE_AS}`],
  [Buffer.from([0x1f, 0x8b]), 'The file is compressed. Unpack it, and upload the CSV file in it.'],
];
const UTF_16 = `The file is UTF-16. ${SAVE_AS}`;

/**
 * Reads the beginning of a CSV file.
 * @throws {HistoryError} when it cannot be a CSV file of signups. The message says what to do.
 */
export async function peekColumns(chunks: AsyncIterable<Buffer>): Promise<PeekedFile> {
  const { head, isWhole } = await headOf(chunks);
  refuseBinary(head);
  const lines: Line[] = [];
  for await (const batch of readLines(only(head))) lines.push(...batch);
  // The last line may be incomplete.
  if (!isWhole) lines.pop();
  const [header, ...rest] = lines;
  if (!header) throw new HistoryError(isWhole ? 'The file is empty. Export it again.' : tooLongHeader());
  const { columns, delimiter } = columnsOf(header);
  const rows = rest
    .slice(0, EXAMPLE_ROWS)
    .map(({ text }) => (text === null || text.trim() === '' ? null : splitCsvRecord(text, delimiter)));
  if (isWhole && rest.every(({ text }) => text?.trim() === '')) {
    throw new HistoryError('The file has a header and no signup below it. Export it again.');
  }
  return {
    columns: columns.map((name, place) => ({ name, examples: examplesOf(rows, place) })),
    found: findColumns(columns, new Map()),
  };
}

async function headOf(chunks: AsyncIterable<Buffer>) {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    bytes += chunk.length;
    if (bytes > PEEKED_BYTES) return { head: Buffer.concat(read), isWhole: false };
  }
  return { head: Buffer.concat(read), isWhole: true };
}

async function* only(head: Buffer): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
}

function refuseBinary(head: Buffer): void {
  for (const [beginning, message] of KINDS) {
    if (head.subarray(0, beginning.length).equals(beginning)) throw new HistoryError(message);
  }
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new HistoryError(UTF_16);
  }
  if (!head.includes(0)) return;
  const zeros = head.subarray(0, 200).reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  // UTF-16 without a byte order mark: every second byte of a European text is zero.
  throw new HistoryError(
    zeros > 40 && zeros < 130 ? UTF_16 : `This is no text file. Upload an export as CSV. ${SAVE_AS}`,
  );
}

function columnsOf({ text, problem }: Line): ReturnType<typeof splitHeader> {
  if (text === null && problem === 'not UTF-8') {
    throw new HistoryError(`The file is not UTF-8, but an older encoding such as Latin-1. ${SAVE_AS}`);
  }
  if (text === null) throw new HistoryError(tooLongHeader());
  if (/^\s*[{[]/.test(text)) {
    throw new HistoryError('This looks like JSON. Upload a CSV file; “gatekeeper simulate” reads NDJSON.');
  }
  const { columns, delimiter } = splitHeader(text, new Map());
  if (columns.length === 0) {
    throw new HistoryError('A quote in the first line is never closed. Correct the names of the columns.');
  }
  if (columns.length > MAX_COLUMNS) {
    throw new HistoryError(
      `The file has ${columns.length} columns, and ${MAX_COLUMNS} can be shown. Export only time, email, ip_address, user_agent and label.`,
    );
  }
  if (columns.some(isValue)) {
    throw new HistoryError(
      'The first line is a signup and no header. Add a first line that names the columns, such as time,email,ip_address,user_agent,label.',
    );
  }
  if (columns.length < 3) {
    throw new HistoryError(
      'The first line has fewer than three columns. It must name at least time, email and ip_address, with commas, semicolons or tabs between them.',
    );
  }
  return { columns, delimiter };
}

function isValue(text: string): boolean {
  return parseMailbox(text) !== null || parseIpAddress(text) !== null || parseSignupTime(text) !== null;
}

function tooLongHeader(): string {
  return `The first line is longer than ${MAX_LINE_BYTES} bytes. Export only time, email, ip_address, user_agent and label.`;
}

function examplesOf(rows: readonly (readonly string[] | 'open' | null)[], place: number): readonly string[] {
  const values = rows.flatMap((row) => (row === null || row === 'open' ? [] : (row[place] ?? '')));
  return [...new Set(values.filter((value) => value !== '').map(maskExample))].slice(0, MAX_EXAMPLES);
}
