import type { Account, AccountStore } from '../storage/accounts/account-store.ts';
import { queryText } from './query-text.ts';
import type { DashboardContext } from './router.ts';

/** One page of a list of accounts, and its position for `AccountList`. */
export interface FoundAccounts {
  readonly accounts: readonly Account[];
  /** The text to find in names; empty: all accounts. */
  readonly text: string;
  readonly isFirst: boolean;
  /** The last name of this page; null when it is the last page. */
  readonly next: string | null;
}

const PAGE_ROWS = 50;
const MAX_TEXT_CHARACTERS = 300;

/** The accounts that the fields `text` and `after` of the URL select, by name. */
export async function findAccounts(
  context: Pick<DashboardContext, 'query'>,
  store: Pick<AccountStore, 'page'>,
): Promise<FoundAccounts> {
  const text = queryText(context, 'text').slice(0, MAX_TEXT_CHARACTERS);
  const after = queryText(context, 'after');
  const found = await store.page({
    after: after === '' ? null : after,
    limit: PAGE_ROWS + 1,
    text: text === '' ? null : text,
  });
  const accounts = found.slice(0, PAGE_ROWS);
  const next = found.length > PAGE_ROWS ? (accounts.at(-1)?.name ?? null) : null;
  return { accounts, text, isFirst: after === '', next };
}
