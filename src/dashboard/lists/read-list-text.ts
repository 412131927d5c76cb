import { eachInTurns } from '../../datasets/in-turns.ts';
import {
  type ListIssue,
  type ListRequest,
  MAX_REQUESTS_AT_ONCE,
  REQUESTS_PER_TURN,
} from '../../lists/list-requests.ts';
import { splitCsvRecord, withoutApostrophe } from '../../simulation/csv-record.ts';

/** Values for entries without values of their own. */
export type ListDefaults = Pick<ListRequest, 'list' | 'note' | 'expiresAt'>;

export interface ReadListText {
  readonly requests: readonly ListRequest[];
  /** The line number of each request; the first line is 1. */
  readonly lines: readonly number[];
  readonly issues: readonly LineIssue[];
}

export interface LineIssue {
  readonly line: number;
  readonly message: string;
}

const DELIMITERS = [',', ';', '\t'] as const;
/** Room for an entry of 254 characters, a note of 500, and quotes. */
const MAX_LINE_CHARACTERS = 2_000;
const COLUMNS = ['list', 'entry', 'note', 'ends'] as const;
type Column = (typeof COLUMNS)[number];
/** The form in which exports write the mailbox of a decision. */
const PSEUDONYM = /^pseudonym:(.+)$/;
const PATTERN_PSEUDONYM = /^pattern-pseudonym:(.+)$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

/**
 * Reads one entry per line, with `# comments`, or CSV. The first line of CSV names its columns: `entry`, and optionally
 * `list`, `note` and `ends`. Other columns are ignored. Other requests of the process are served in between.
 */
export async function readListText(text: string, defaults: ListDefaults): Promise<ReadListText> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const first = lines.findIndex((line) => !isBlank(line));
  const header = readHeader(lines[first] ?? '');
  const requests: ListRequest[] = [];
  const numbers: number[] = [];
  const issues: LineIssue[] = [];
  const readOne = ([index, line]: readonly [number, string]) => {
    if (isBlank(line) || (header && index === first)) return;
    // One entry more than the limit is enough for the error.
    if (requests.length + issues.length > MAX_REQUESTS_AT_ONCE) return;
    const request = readLine(line, header, defaults);
    if (typeof request === 'string') {
      issues.push({ line: index + 1, message: request });
    } else {
      requests.push(request);
      numbers.push(index + 1);
    }
  };
  await eachInTurns(lines.entries(), readOne, REQUESTS_PER_TURN);
  return { requests, lines: numbers, issues };
}

/** The errors of requests, with their line numbers. */
export function toLineIssues(issues: readonly ListIssue[], lines: readonly number[]): LineIssue[] {
  return issues.map(({ index, message }) => ({ line: lines[index] ?? 0, message }));
}

function isBlank(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

interface Header {
  readonly delimiter: string;
  readonly places: ReadonlyMap<Column, number>;
}

function readHeader(line: string): Header | null {
  if (line.length > MAX_LINE_CHARACTERS) return null;
  const delimiter = DELIMITERS.find((candidate) => line.includes(candidate)) ?? ',';
  const names = splitCsvRecord(line, delimiter);
  if (names === null || names === 'open') return null;
  const columns = names.map((name) => name.toLowerCase());
  if (!columns.includes('entry')) return null;
  return {
    delimiter,
    places: new Map(COLUMNS.map((column) => [column, columns.indexOf(column)])),
  };
}

function readLine(line: string, header: Header | null, defaults: ListDefaults): ListRequest | string {
  if (line.length > MAX_LINE_CHARACTERS) {
    return `The line has ${line.length} characters. The limit is ${MAX_LINE_CHARACTERS}.`;
  }
  return header ? fromRecord(line, header, defaults) : fromLine(line, defaults);
}

function fromRecord(
  line: string,
  { delimiter, places }: Header,
  defaults: ListDefaults,
): ListRequest | string {
  const fields = splitCsvRecord(line, delimiter);
  if (fields === null || fields === 'open') return 'The quotes in this line are not balanced.';
  const field = (column: Column) => withoutApostrophe(fields[places.get(column) ?? -1]?.trim() ?? '');
  const list = field('list').toLowerCase() || defaults.list;
  if (list !== 'allow' && list !== 'deny')
    return `The list must be "allow" or "deny", not "${field('list')}".`;
  const expiresAt = field('ends') === '' ? defaults.expiresAt : readTime(field('ends'));
  if (Number.isNaN(expiresAt)) {
    return `"${field('ends')}" is not a time. Write 2027-01-31 or 2027-01-31T12:00Z (UTC).`;
  }
  return { list, subject: subjectOf(field('entry')), note: field('note') || defaults.note, expiresAt };
}

function fromLine(line: string, defaults: ListDefaults): ListRequest {
  const comment = line.search(/\s#/);
  const entry = comment === -1 ? line : line.slice(0, comment);
  const note = comment === -1 ? '' : line.slice(comment + 2).trim();
  return { ...defaults, subject: subjectOf(entry.trim()), note: note || defaults.note };
}

function subjectOf(entry: string): ListRequest['subject'] {
  const template = PATTERN_PSEUDONYM.exec(entry)?.[1];
  if (template !== undefined) return { templatePseudonym: template };
  const pseudonym = PSEUDONYM.exec(entry)?.[1];
  return pseudonym === undefined ? { text: entry } : { mailboxPseudonym: pseudonym };
}

function readTime(text: string): number {
  return ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
}
