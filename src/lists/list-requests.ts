import { formatCidr, networkOf, parseIpAddress } from '../addresses/ip-address.ts';
import { mailboxPseudonym, type Pseudonymize } from '../assessment/identity.ts';
import { formatListEntry, type ListEntry, PATTERN_PREFIX, parseListEntry } from '../assessment/list-entry.ts';
import { eachInTurns } from '../datasets/in-turns.ts';
import type { ListName, ListSubject, NewListEntry } from '../storage/lists/list-entry-store.ts';

/** An entry that a user wants to add. */
export interface ListRequest {
  readonly list: ListName;
  /**
   * The entry as in the configuration (`bad.example`, `203.0.113.0/24`, `AS64500`, …), or the mailbox or the pattern of
   * a decision.
   */
  readonly subject:
    | { readonly text: string }
    | { readonly mailboxPseudonym: string }
    | { readonly templatePseudonym: string };
  readonly note: string | null;
  /** The expiry in milliseconds since the epoch. Null when the entry does not expire. */
  readonly expiresAt: number | null;
}

export interface ListIssue {
  /** The index of the request, from 0. */
  readonly index: number;
  readonly message: string;
}

/** A refused change of the lists. It has every issue, in the order of the requests. The lists are unchanged. */
export class ListIssuesError extends Error {
  override readonly name = 'ListIssuesError';
  readonly issues: readonly ListIssue[];

  constructor(issues: readonly ListIssue[]) {
    super(issues.map(({ index, message }) => `${index + 1}: ${message}`).join('\n'));
    this.issues = issues;
  }
}

/** A valid request. */
export interface ReadRequest {
  readonly entry: ListEntry;
  readonly record: NewListEntry;
}

/** Larger imports are refused: one transaction stores all entries. */
export const MAX_REQUESTS_AT_ONCE = 5_000;
/** Requests that are read at once: about 5 ms, also as CSV with quotes. */
export const REQUESTS_PER_TURN = 100;
const MAX_NOTE_CHARACTERS = 500;
const PSEUDONYM = /^[\w-]{22}$/;

export interface ReadRequests {
  /** The valid requests. For several requests about one subject, only the last one. */
  readonly requests: readonly ReadRequest[];
  readonly issues: readonly ListIssue[];
}

/** Reads all requests and reports every issue. Other requests of the process are served in between. */
export async function readListRequests(
  requests: readonly ListRequest[],
  { pseudonymize, now }: { readonly pseudonymize: Pseudonymize; readonly now: number },
): Promise<ReadRequests> {
  if (requests.length > MAX_REQUESTS_AT_ONCE) {
    const message = `Add at most ${MAX_REQUESTS_AT_ONCE} entries at once. Split the list, or name a feed under datasets.feeds.`;
    return { requests: [], issues: [{ index: MAX_REQUESTS_AT_ONCE, message }] };
  }
  const issues: ListIssue[] = [];
  const read = new Map<string, ReadRequest>();
  const readOne = ([index, request]: readonly [number, ListRequest]) => {
    const entry = readSubject(request.subject);
    const message = entry ? mistakeOf(request, entry, now) : describeIssue(request.subject);
    if (message !== null) issues.push({ index, message });
    if (!entry || message !== null) return;
    const record = toRecord(request, entry, pseudonymize);
    const key = `${record.list} ${record.kind} ${record.value}`;
    // The later request also replaces the position of the earlier one.
    read.delete(key);
    read.set(key, { entry, record });
  };
  await eachInTurns(requests.entries(), readOne, REQUESTS_PER_TURN);
  return { requests: [...read.values()], issues };
}

/** The stored form of an entry: a mailbox and a template as pseudonyms, all others in the canonical spelling. */
function subjectOf(list: ListName, entry: ListEntry, pseudonymize: Pseudonymize): ListSubject {
  if (entry.kind === 'pseudonym') return { list, kind: 'mailbox', value: entry.mailbox };
  if (entry.kind === 'pattern') return { list, kind: 'pattern', value: entry.pattern };
  if (entry.kind === 'template') return { list, kind: 'pattern', value: entry.template };
  if (entry.kind !== 'mailbox') return { list, kind: entry.kind, value: formatListEntry(entry) };
  return { list, kind: 'mailbox', value: mailboxPseudonym(entry.canonical, pseudonymize) };
}

/**
 * Whether the value of a stored pattern is the pseudonym of a template. A text with a number contains `#`, and a shape
 * contains `~`.
 */
export function isTemplate(value: string): boolean {
  return PSEUDONYM.test(value);
}

/** Reads a stored subject. Null when the database contains a subject of an unknown kind. */
export function entryOf({ kind, value }: ListSubject): ListEntry | null {
  if (kind === 'mailbox') return { kind: 'pseudonym', mailbox: value };
  if (kind === 'pattern')
    return isTemplate(value) ? { kind: 'template', template: value } : { kind: 'pattern', pattern: value };
  // Most entries are domains. Parsing their names would cost more than all other steps.
  if (kind === 'domain') return { kind, domain: value };
  const entry = parseListEntry(value);
  return entry?.kind === kind ? entry : null;
}

function readSubject(subject: ListRequest['subject']): ListEntry | null {
  if ('text' in subject) return parseListEntry(subject.text.trim());
  if ('templatePseudonym' in subject) {
    const { templatePseudonym: template } = subject;
    return PSEUDONYM.test(template) ? { kind: 'template', template } : null;
  }
  const { mailboxPseudonym: mailbox } = subject;
  return PSEUDONYM.test(mailbox) ? { kind: 'pseudonym', mailbox } : null;
}

function toRecord(request: ListRequest, entry: ListEntry, pseudonymize: Pseudonymize): NewListEntry {
  const { list, note, expiresAt, subject } = request;
  const typed = entry.kind === 'mailbox' && 'text' in subject ? subject.text.trim() : null;
  return { ...subjectOf(list, entry, pseudonymize), typed, note: readNote(note), expiresAt };
}

/** Makes a note one line of visible text, so that an export has one line for each entry. */
function readNote(note: string | null): string | null {
  return note?.replace(/\p{Cc}+/gu, ' ').trim() || null;
}

function mistakeOf({ note, expiresAt, list }: ListRequest, entry: ListEntry, now: number): string | null {
  if (list === 'allow' && (entry.kind === 'pattern' || entry.kind === 'template'))
    return 'A pattern can only be denied: allow mailboxes or a domain instead.';
  if (note !== null && note.length > MAX_NOTE_CHARACTERS) {
    return `The note has ${note.length} characters. The limit is ${MAX_NOTE_CHARACTERS}.`;
  }
  if (expiresAt !== null && expiresAt <= now) return 'The expiry of the entry is in the past.';
  return null;
}

function describeIssue(subject: ListRequest['subject']): string {
  if (!('text' in subject)) return 'This is not the mailbox or the pattern of a decision.';
  const text = subject.text.trim();
  const quoted = `"${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`;
  if (/^[a-z]{2}$/i.test(text)) return `${quoted}: a country is two capitals, "${text.toUpperCase()}".`;
  if (text.startsWith(PATTERN_PREFIX)) {
    return `${quoted} is not a pattern: write the part before the @ with # for a number, as in pattern:promo.user#. A common name with a short number is not allowed.`;
  }
  if (text.includes('*')) {
    return `${quoted}: an entry has no wildcards. A domain (bad.example) covers its subdomains and all their mailboxes, a pattern (pattern:promo.user#) some of them.`;
  }
  if (/^[\d.]+\/\d+$/.test(text) || /^[\da-f]*:[\da-f:]*\/\d+$/i.test(text)) {
    return `${quoted} is not a network${networkMistake(text)}`;
  }
  return `${quoted} is not an entry. Write a mailbox (someone@example.net), a domain (bad.example), an address or network (203.0.113.0/24), AS64500, a country (XK), or a pattern (pattern:promo.user#).`;
}

function networkMistake(text: string): string {
  const [address = '', prefix = ''] = text.split('/', 2);
  const ip = parseIpAddress(address);
  if (ip === null) return '. Write an address and the length of its prefix, as in 203.0.113.0/24.';
  const longest = ip.family === 4 ? 32 : 128;
  const prefixLength = Number(prefix);
  if (prefixLength > longest)
    return `: the prefix of an IPv${ip.family} address has at most ${longest} bits.`;
  const network = formatCidr({ network: networkOf(ip, prefixLength), prefixLength });
  return `: the bits beyond the prefix length must be zero, as in ${network}.`;
}
