import type { Account, Role } from '../../storage/accounts/account-store.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { ANY_DECISION, type DecisionFilter } from '../../storage/decisions/search/decision-filter.ts';
import type { ApiKey } from '../../storage/keys/api-key-store.ts';
import type { StoredListEntry } from '../../storage/lists/list-entry-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SearchText } from './read-search-text.ts';

/** The largest number of results of each kind. A longer list has its own page. */
const SHOWN = 10;

export interface Found {
  readonly decisions: FoundDecisions;
  readonly entries: Hits<StoredListEntry>;
  readonly accounts: Hits<Account>;
  readonly keys: Hits<ApiKey & { readonly accountName: string }>;
}

interface Hits<Hit> {
  readonly hits: readonly Hit[];
  /** Whether there are more results than these. */
  readonly hasMore: boolean;
}

export interface FoundDecisions extends Hits<StoredDecision> {
  /** The page with all results; null when that page has no such filter. */
  readonly href: string | null;
}

/**
 * The user who searches. An operator finds everything, support finds all decisions, and a member finds decisions and
 * keys of the own account.
 */
export interface Searcher {
  readonly accountId: string;
  /** The account whose decisions are searched; null: all. */
  readonly scope: string | null;
  readonly role: Role;
}

/** A mailbox is searched by its pseudonym, so no URL and no log contains the address. */
export interface MailboxSearch {
  readonly pseudonym: string;
  /** The account of the user with that address, which only an operator may see. */
  readonly accountId: string | null;
}

const NOTHING = { hits: [], hasMore: false } as const;

export async function findText(
  records: Storage,
  wanted: SearchText,
  { accountId, scope, role }: Searcher,
): Promise<Found> {
  const isOperator = role === 'operator';
  // The queries run one after the other, since all pages share one reader.
  return {
    decisions: await decisionsOf(records, wanted, scope),
    entries:
      isOperator && wanted.text !== ''
        ? shown(await records.listEntries.page({ ...PAGE, filter: { text: wanted.text } }))
        : NOTHING,
    accounts: isOperator ? await accountsOf(records, wanted) : NOTHING,
    keys:
      wanted.name === null || role === 'support'
        ? NOTHING
        : await keysOf(records, wanted.name, { accountId, isOperator }),
  };
}

export async function findMailbox(
  records: Storage,
  { pseudonym, accountId: userId }: MailboxSearch,
  { scope, role }: Searcher,
): Promise<Found> {
  const isOperator = role === 'operator';
  const filter = { text: pseudonym, mailbox: pseudonym };
  const user = isOperator && userId !== null ? await records.accounts.find(userId) : null;
  return {
    decisions: await filtered(records, { mailbox: pseudonym }, scope),
    entries: isOperator ? shown(await records.listEntries.page({ ...PAGE, filter })) : NOTHING,
    accounts: { hits: user ? [user] : [], hasMore: false },
    keys: NOTHING,
  };
}

const PAGE = { after: null, limit: SHOWN + 1 } as const;

async function decisionsOf(
  records: Storage,
  { id, beginning, madeAt, domain, network }: SearchText,
  accountId: string | null,
): Promise<FoundDecisions> {
  if (id !== null) {
    const decision = await records.decisionSearch.find(id, accountId);
    return { hits: decision ? [decision] : [], hasMore: false, href: null };
  }
  if (beginning !== null || madeAt !== null) {
    const limit = SHOWN + 1;
    const begun = beginning && (await records.decisionSearch.beginning(beginning, { accountId, limit }));
    const filter = { ...ANY_DECISION, accountId, madeAt };
    const made = madeAt === null ? null : await records.decisionSearch.page(filter, null, limit);
    return { ...shown([...(begun || []), ...(made?.decisions ?? [])]), href: null };
  }
  if (domain !== null) return filtered(records, { domain }, accountId);
  return network === null ? { ...NOTHING, href: null } : filtered(records, { network }, accountId);
}

type Narrowing = Readonly<Partial<Record<'domain' | 'network' | 'mailbox', string>>>;

/** The decisions, newest first. The search is bounded. When it ended early, the page of decisions continues it. */
async function filtered(
  { decisionSearch }: Storage,
  narrowing: Narrowing,
  accountId: string | null,
): Promise<FoundDecisions> {
  const { domain, network = null, mailbox = null } = narrowing;
  const filter: DecisionFilter = {
    ...ANY_DECISION,
    accountId,
    network,
    mailbox,
    domains: domain === undefined ? [] : [domain],
  };
  const page = await decisionSearch.page(filter, null, SHOWN);
  return {
    hits: page?.decisions ?? [],
    hasMore: (page?.next ?? null) !== null,
    href: `/decisions?${new URLSearchParams(narrowing)}`,
  };
}

async function accountsOf({ accounts }: Storage, { id, name }: SearchText): Promise<Hits<Account>> {
  if (id !== null) {
    const account = await accounts.find(id);
    return { hits: account ? [account] : [], hasMore: false };
  }
  return name === null ? NOTHING : shown(await accounts.page({ ...PAGE, text: name }));
}

async function keysOf(
  { apiKeys, accounts }: Storage,
  text: string,
  { accountId, isOperator }: { readonly accountId: string; readonly isOperator: boolean },
): Promise<Found['keys']> {
  // People copy a key as the pages show it: `gk_live_…wxyz`.
  const wanted = text.replace(/^gk_(?:live|test)_(?:…|\.{3})?/, '');
  if (wanted === '') return NOTHING;
  if (isOperator) return shown(await apiKeys.search(wanted, SHOWN + 1));
  const account = await accounts.find(accountId);
  const own = (await apiKeys.listOf(accountId)).filter(
    ({ name, lastFour }) => name.startsWith(wanted) || lastFour === wanted,
  );
  return shown(own.map((key) => ({ ...key, accountName: account?.name ?? '' })));
}

function shown<Hit>(found: readonly Hit[]): Hits<Hit> {
  return { hits: found.slice(0, SHOWN), hasMore: found.length > SHOWN };
}
