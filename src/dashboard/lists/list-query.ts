import type { ListCursor, ListEntryKind, ListName } from '../../storage/lists/list-entry-store.ts';
import { queryText } from '../query-text.ts';
import type { DashboardContext } from '../router.ts';

/** The filter in the URL of the page. Invalid values are ignored, since users type and shorten URLs. */
export interface ListPageQuery {
  readonly filter: {
    readonly list?: ListName;
    readonly kind?: ListEntryKind;
    readonly text?: string;
  };
  readonly after: ListCursor | null;
}

export const KINDS: Readonly<Record<ListEntryKind, string>> = {
  mailbox: 'mailbox',
  domain: 'domain',
  pattern: 'pattern of mailboxes',
  network: 'address or network',
  asn: 'network operator (ASN)',
  country: 'country',
};

const MAX_TEXT_CHARACTERS = 300;

export function readListQuery(context: DashboardContext): ListPageQuery {
  const list = queryText(context, 'list');
  const kind = queryText(context, 'kind');
  const text = queryText(context, 'text').slice(0, MAX_TEXT_CHARACTERS);
  const [, revision, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(queryText(context, 'after')) ?? [];
  return {
    filter: {
      ...((list === 'allow' || list === 'deny') && { list }),
      ...(isKind(kind) && { kind }),
      ...(text !== '' && { text }),
    },
    after: revision === undefined ? null : { revision: Number(revision), id: Number(id) },
  };
}

/** The URL of a page with this filter: `/lists` or an export. */
export function listHref(path: string, { filter, after }: ListPageQuery): string {
  const query = new URLSearchParams({
    ...filter,
    ...(after && { after: `${after.revision}.${after.id}` }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

function isKind(text: string): text is ListEntryKind {
  return Object.hasOwn(KINDS, text);
}
