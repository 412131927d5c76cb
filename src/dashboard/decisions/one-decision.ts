import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { operatorOnly, seeOther, signedIn, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import { addToLists, endOf } from '../add-to-lists.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { notThere, PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { sendDecisionPage } from './decision-page.tsx';
import { LABELS } from './decision-query.ts';
import { offersOf } from './list-offers.ts';
import type { Policies } from './policies.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Messages after an action, by the value of `done` in the URL. */
const DONE: Readonly<Record<string, string>> = {
  labelled: 'The label was saved.',
  listed: 'The entry was added.',
};

/** The page of one decision and its forms. */
export function registerOneDecision(
  router: DashboardRouter,
  parts: DashboardDependencies,
  policies: Policies,
): void {
  router.get('/decisions/:id', signedIn, async (context) => {
    const { done } = context.query;
    const said = typeof done === 'string' && Object.hasOwn(DONE, done) ? (DONE[done] ?? null) : null;
    await show(context, { parts, policies, decision: await find(context, parts), done: said, notices: [] });
  });
  router.post('/decisions/:id/label', signedIn, (context) => label(context, parts));
  router.post('/decisions/:id/list', operatorOnly, async (context) => {
    const decision = await find(context, parts);
    const notices = await list(context, parts, decision);
    if (notices.length === 0) return seeOther(context, `/decisions/${decision.requestId}?done=listed`);
    await show(context, { parts, policies, decision, done: DONE.listed ?? null, notices });
  });
}

interface Shown {
  readonly parts: DashboardDependencies;
  readonly policies: Policies;
  readonly decision: StoredDecision;
  readonly done: string | null;
  readonly notices: readonly string[];
}

async function show(context: DashboardContext, shown: Shown): Promise<void> {
  const { parts, policies, decision, done, notices } = shown;
  const { decisionSearch } = parts.records;
  const [policy, around, keys] = await Promise.all([
    policies.of(decision),
    decisionSearch.around(decision),
    decisionSearch.keys(decision.keyId === null ? [] : [decision.keyId]),
  ]);
  sendDecisionPage(context, {
    ...{ decision, policy, around, done, notices },
    key: keys.get(decision.keyId ?? '') ?? null,
    mayList: viewerOf(context).role === 'operator',
  });
}

async function find(context: DashboardContext, { records }: DashboardDependencies): Promise<StoredDecision> {
  const id = context.params.id ?? '';
  const decision = UUID.test(id) && (await records.decisionSearch.find(id, scopeOf(viewerOf(context))));
  if (!decision) throw notThere();
  return decision;
}

async function label(context: DashboardContext, parts: DashboardDependencies): Promise<void> {
  const { records, clock } = parts;
  const { requestId } = await find(context, parts);
  const chosen = context.state.form.text('label');
  const wanted = LABELS.find((one) => one === chosen) ?? null;
  if (wanted === null && chosen !== 'none')
    throw new PageError(400, 'The label must be fraud, legitimate or none.');
  const viewer = viewerOf(context);
  if (!(await records.decisionSearch.label(requestId, scopeOf(viewer), wanted))) throw notThere();
  await records.audit.record({
    ...{ at: clock(), actorId: viewer.accountId, actorName: viewer.name, act: 'decision.labelled' },
    ...{ subject: requestId, detail: { label: wanted } },
  });
  seeOther(context, `/decisions/${requestId}?done=labelled`);
}

/** @returns notices about the new entry. */
async function list(
  context: DashboardContext,
  parts: DashboardDependencies,
  decision: StoredDecision,
): Promise<readonly string[]> {
  const { form } = context.state;
  const [verdict, what] = form.text('what').split(' ');
  const offer = offersOf(decision).find((one) => one.what === what);
  if (!offer || (verdict !== 'deny' && verdict !== 'allow')) {
    throw new PageError(400, 'Choose the part of this decision to deny or allow.');
  }
  const note = [form.text('note'), `decision ${decision.requestId}`].filter(Boolean).join(', ');
  return await addToLists(context, parts, [
    { list: verdict, subject: offer.subject, note, expiresAt: endOf(context, parts.clock()) },
  ]);
}
