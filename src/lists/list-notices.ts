import { parseDomainName } from '../addresses/email-address.ts';
import { formatListEntry, type ListEntry } from '../assessment/list-entry.ts';
import type { Lists } from '../assessment/lists.ts';
import { MAILBOX_PROVIDERS } from '../assessment/mailbox-providers.ts';
import { isShape, nameOfPattern } from '../assessment/pattern.ts';
import type { ListName } from '../storage/lists/list-entry-store.ts';
import type { ReadRequest } from './list-requests.ts';

/** Lists to compare an entry with, and their name for people. */
export interface KnownLists {
  readonly lists: Lists;
  /** The name of the place: `the configuration`. Empty for the lists of the dashboard themselves. */
  readonly where: string;
}

const OTHER: Readonly<Record<ListName, ListName>> = { allow: 'deny', deny: 'allow' };
const DONE: Readonly<Record<ListName, string>> = { allow: 'allowed', deny: 'denied' };
/** A network with a shorter prefix is wider than the usual network of one customer. */
const WIDE_PREFIX = { 4: 16, 6: 32 } as const;

/** The entries that may match many more people than intended: the user confirms them first. */
export function farReachingOf(requests: readonly ReadRequest[]): readonly string[] {
  return requests.flatMap((request) => reachNotices(request));
}

/**
 * Notices for a user who adds these entries: entries that contradict another list, entries without effect, and entries
 * that match more than they seem to.
 * @param known The lists before the change.
 */
export function noticesOf(
  requests: readonly ReadRequest[],
  known: readonly KnownLists[],
  at: number,
): readonly string[] {
  return requests.flatMap((request) => {
    const name = nameOf(request.entry, request.record);
    return [
      ...reachNotices(request),
      ...known.flatMap((place) => overlapsOf(request, { ...place, name, at })),
    ];
  });
}

function nameOf(entry: ListEntry, { kind, typed }: ReadRequest['record']): string {
  if (entry.kind === 'template') return 'the pattern';
  return kind === 'mailbox' ? (typed ?? 'the mailbox') : formatListEntry(entry);
}

function overlapsOf(
  { entry, record: { list, kind, value } }: ReadRequest,
  { lists, where, name, at }: KnownLists & { readonly name: string; readonly at: number },
): string[] {
  const find = (of: ListName) => {
    // Lists that people edit at run time hold a mailbox as its pseudonym; lists of the configuration hold it in plain
    // text.
    const pseudonym = { kind: 'pseudonym', mailbox: value } as const;
    if (kind === 'mailbox' && lists[of].findCovering(pseudonym, at) !== null) return name;
    return entry.kind === 'pseudonym' ? null : lists[of].findCovering(entry, at);
  };
  const place = where === '' ? '' : ` by ${where}`;
  const notices: string[] = [];
  const other = find(OTHER[list]);
  if (other !== null) {
    const through = other === name ? '' : ` through ${other}`;
    const outcome = list === 'deny' ? 'from now on it is denied' : 'it stays denied';
    notices.push(`${name} is ${DONE[OTHER[list]]}${through}${place}: deny wins, ${outcome}.`);
  }
  const same = find(list);
  if (same !== null && same !== name) {
    notices.push(`${name} is ${DONE[list]} through ${same}${place} already.`);
  } else if (same !== null && where !== '') {
    notices.push(`${name} is ${DONE[list]}${place} already.`);
  }
  return notices;
}

function reachNotices({ entry, record }: ReadRequest): string[] {
  const reach = describeReach(entry, nameOf(entry, record), record.list);
  return reach === null ? [] : [`${reach}.`];
}

/** What an entry does that may match many more people than intended, without a full stop. Null for other entries. */
export function describeReach(entry: ListEntry, name: string, list: ListName): string | null {
  if (entry.kind === 'pattern' && isShape(entry.pattern)) {
    const words = nameOfPattern(entry.pattern);
    return `The pattern ${words} has no fixed text: many people have such a mailbox, and all of them must verify`;
  }
  if (entry.kind === 'domain' && MAILBOX_PROVIDERS.has(entry.domain)) {
    return `${name} is a large mail provider: everyone with a mailbox there is ${DONE[list]}`;
  }
  if (entry.kind === 'domain' && parseDomainName(entry.domain)?.registrable === null) {
    return `${name} is a public suffix: every domain below it is ${DONE[list]}`;
  }
  if (entry.kind === 'network' && entry.cidr.prefixLength < WIDE_PREFIX[entry.cidr.network.family]) {
    return `${name} is a very wide network: everyone in it is ${DONE[list]}`;
  }
  return null;
}
