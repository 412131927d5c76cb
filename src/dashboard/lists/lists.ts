import { operatorOnly, seeOther, viewerOf } from '../access.ts';
import { addToLists, endOf } from '../add-to-lists.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { type AddForm, type AddView, EMPTY_FORM } from './add-panel.tsx';
import { exportLists } from './export-lists.ts';
import { listHref, readListQuery } from './list-query.ts';
import { sendAddedPage, sendListsPage } from './lists-page.tsx';
import { readListText, toLineIssues } from './read-list-text.ts';

const PAGE_ROWS = 100;

/** The pages on which operators see, add, import, remove and export allow and deny entries. */
export function registerLists(router: DashboardRouter, dependencies: DashboardDependencies): void {
  router.get('/lists', operatorOnly, (context) =>
    show(context, dependencies, { form: EMPTY_FORM, issues: [], farReaching: [] }),
  );
  router.post('/lists', operatorOnly, (context) => add(context, dependencies));
  router.post('/lists/remove', operatorOnly, (context) => remove(context, dependencies));
  router.get('/lists/export.csv', operatorOnly, (context) => exportLists(context, dependencies, 'csv'));
  router.get('/lists/export.txt', operatorOnly, (context) => exportLists(context, dependencies, 'txt'));
}

async function show(
  context: DashboardContext,
  { lists, config, clock }: DashboardDependencies,
  adding: AddView,
): Promise<void> {
  const query = readListQuery(context);
  const [entries, count] = await Promise.all([lists.page({ ...query, limit: PAGE_ROWS + 1 }), lists.count()]);
  const shown = entries.slice(0, PAGE_ROWS);
  const last = entries.length > PAGE_ROWS ? (shown.at(-1) ?? null) : null;
  sendListsPage(context, {
    entries: shown,
    count,
    query,
    olderHref: last && listHref('/lists', { ...query, after: { revision: last.revision, id: last.id } }),
    configured: config().lists,
    adding,
    now: clock(),
    done: typeof context.query.done === 'string' ? context.query.done : null,
  });
}

async function add(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const form = readAddForm(context);
  const { requests, lines, issues } = await readListText(form.entries, {
    list: form.list,
    note: form.note || null,
    expiresAt: endOf(context, dependencies.clock()),
  });
  const check = await dependencies.lists.check(requests);
  const all = [...issues, ...toLineIssues(check.issues, lines)].sort((a, b) => a.line - b.line);
  if (requests.length === 0 && all.length === 0) all.push({ line: 1, message: 'Enter at least one entry.' });
  if (all.length > 0) return show(context, dependencies, { form, issues: all, farReaching: [] });
  if (check.farReaching.length > 0 && !form.isConfirmed) {
    return show(context, dependencies, { form, issues: [], farReaching: check.farReaching });
  }
  const { entries, replaced, notices } = await addToLists(context, dependencies, requests);
  if (notices.length > 0)
    return sendAddedPage(context, { added: entries.length - replaced, replaced, notices });
  seeOther(context, `/lists?done=${entries.length === 1 ? 'added' : 'added-several'}`);
}

async function remove(context: DashboardContext, { lists }: DashboardDependencies): Promise<void> {
  const id = context.state.form.text('id');
  const { accountId, name } = viewerOf(context);
  const removed = /^\d{1,15}$/.test(id) && (await lists.remove(Number(id), { id: accountId, name }));
  seeOther(context, `/lists?done=${removed ? 'removed' : 'removed-before'}`);
}

function readAddForm({ state: { form } }: DashboardContext): AddForm {
  return {
    entries: form.raw('entries'),
    list: form.text('list') === 'allow' ? 'allow' : 'deny',
    note: form.text('note'),
    isConfirmed: form.has('confirmed'),
    ends: form.text('ends'),
  };
}
