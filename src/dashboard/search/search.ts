import { readEmail } from '../../accounts/read-email.ts';
import { identifyMailbox } from '../../assessment/identity.ts';
import { everyUser, seeOther, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { describeDecisions } from '../decisions/describe-decisions.ts';
import { createPolicies, type Policies } from '../decisions/policies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { type Found, findMailbox, findText, type Searcher } from './find-all.ts';
import { readSearchInput } from './read-search-input.ts';
import { readSearchText } from './read-search-text.ts';
import { accountHref, keyHref, sendSearchPage } from './search-page.tsx';

const PSEUDONYM = /^[\w-]{22}$/;

/**
 * The search box of every page. A single result opens at once; several results are listed by kind. Members find only
 * decisions and keys of their own account. Support finds only decisions.
 */
export function registerSearch(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const policies = createPolicies(dependencies.records);
  router.post('/search', everyUser, (context) => begin(context, dependencies));
  router.get('/search', everyUser, (context) => show(context, dependencies, policies));
}

/** The form uses POST, so no browser history and no log contains an email address. The redirect has its pseudonym. */
async function begin(
  context: DashboardContext,
  { records, pseudonymize, clock }: DashboardDependencies,
): Promise<void> {
  const input = readSearchInput(context.state.form.text('q'), clock());
  // The text is not shown again: a browser keeps the title of a page.
  if (input === null) return sendSearchPage(context, { text: '', found: null, rows: [] });
  if ('text' in input) return seeOther(context, `/search?${new URLSearchParams({ q: input.text })}`);
  const { mailbox } = input;
  const email = viewerOf(context).role === 'operator' ? readEmail(mailbox.address) : null;
  const user = email && (await records.users.findByEmail(email.text));
  const query = new URLSearchParams({
    mailbox: identifyMailbox(mailbox, pseudonymize).mailbox,
    ...(user && { account: user.id }),
  });
  seeOther(context, `/search?${query}`);
}

async function show(
  context: DashboardContext,
  { records, clock }: DashboardDependencies,
  policies: Policies,
): Promise<void> {
  const viewer = viewerOf(context);
  const searcher: Searcher = {
    accountId: viewer.accountId,
    scope: scopeOf(viewer),
    role: viewer.role,
  };
  const query = new URLSearchParams(context.querystring);
  const pseudonym = query.get('mailbox') ?? '';
  const isMailbox = PSEUDONYM.test(pseudonym);
  const wanted = readSearchText(query.get('q') ?? '', clock());
  const found = isMailbox
    ? await findMailbox(records, { pseudonym, accountId: query.get('account') }, searcher)
    : await findText(records, wanted, searcher);
  const only = onlyPage(found);
  if (only !== null) return seeOther(context, only);
  const rows = await describeDecisions(found.decisions.hits, records, policies);
  sendSearchPage(context, { text: isMailbox ? null : wanted.text, found, rows });
}

/** The page to open at once: that of the only result, or that of the decisions when all results are decisions. */
function onlyPage({ decisions, entries, accounts, keys }: Found): string | null {
  const others = [entries, accounts, keys].reduce((sum, { hits }) => sum + hits.length, 0);
  if (others === 0) {
    const [decision] = decisions.hits;
    if (decision && decisions.hits.length === 1 && !decisions.hasMore)
      return `/decisions/${decision.requestId}`;
    return decisions.hits.length > 0 || decisions.hasMore ? decisions.href : null;
  }
  if (others > 1 || decisions.hits.length > 0 || decisions.hasMore) return null;
  const [account] = accounts.hits;
  const [key] = keys.hits;
  if (account) return accountHref(account.id);
  return key ? keyHref(key.accountId) : null;
}
