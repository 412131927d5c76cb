import { isRequestId } from '../../http/request-id.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { everyUser, seeOther, signedIn, staffOnly, viewerOf } from '../access.ts';
import { scopeOf } from '../accounts/viewer.ts';
import { addToLists, endOf } from '../add-to-lists.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { notThere, PageError } from '../page-error.ts';
import { namesOf } from '../review/read-desk.ts';
import { readReviewMessage } from '../review/review-messages.tsx';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { sendDecisionPage } from './decision-page.tsx';
import { LABELS } from './decision-query.ts';
import { mayAdd, offersOf } from './list-offers.ts';
import type { Policies } from './policies.ts';

const ENTRY_ID = /^\d{1,15}$/;
/** Messages after an action, by the value of `done` in the URL. */
const DONE: Readonly<Record<string, string>> = {
  labelled: 'The label was saved.',
  listed: 'The entry was added.',
  unlisted: 'The entry was removed.',
};

/** The page of one decision and its forms. */
export function registerOneDecision(
  router: DashboardRouter,
  dependencies: DashboardDependencies,
  policies: Policies,
): void {
  router.get('/decisions/:id', everyUser, async (context) => {
    const { done, entry } = context.query;
    const said = typeof done === 'string' && Object.hasOwn(DONE, done) ? (DONE[done] ?? null) : null;
    await show(context, {
      dependencies,
      policies,
      decision: await find(context, dependencies),
      done: said,
      notices: [],
      addedEntry: done === 'listed' && typeof entry === 'string' && ENTRY_ID.test(entry) ? entry : null,
    });
  });
  router.post('/decisions/:id/label', signedIn, (context) => label(context, dependencies));
  router.post('/decisions/:id/list', staffOnly, async (context) => {
    const decision = await find(context, dependencies);
    const { notices, addedEntry } = await list(context, dependencies, decision);
    if (notices.length === 0) {
      const entry = addedEntry === null ? '' : `&entry=${addedEntry}`;
      return seeOther(context, `/decisions/${decision.requestId}?done=listed${entry}`);
    }
    await show(context, { dependencies, policies, decision, done: DONE.listed ?? null, notices, addedEntry });
  });
  router.post('/decisions/:id/unlist', staffOnly, (context) => unlist(context, dependencies));
}

interface Shown {
  readonly dependencies: DashboardDependencies;
  readonly policies: Policies;
  readonly decision: StoredDecision;
  readonly done: string | null;
  readonly notices: readonly string[];
  readonly addedEntry: string | null;
}

async function show(context: DashboardContext, shown: Shown): Promise<void> {
  const { dependencies, policies, decision, done, notices, addedEntry } = shown;
  const { decisionSearch, heldSignups, reviews } = dependencies.records;
  const { role } = viewerOf(context);
  const isReviewed = role !== 'member' && dependencies.review !== null && decision.door === 'gate';
  const [policy, around, keys, corrections, review] = await Promise.all([
    policies.of(decision),
    decisionSearch.around(decision),
    decisionSearch.keys(decision.keyId === null ? [] : [decision.keyId]),
    heldSignups.correctionsOf(decision.requestId),
    isReviewed ? reviews.reviewOf(decision.requestId, dependencies.clock()) : null,
  ]);
  const names = await namesOf(dependencies.records, review?.record ? [review.record] : []);
  sendDecisionPage(context, {
    decision,
    policy,
    around,
    corrections,
    done,
    notices,
    addedEntry,
    key: keys.get(decision.keyId ?? '') ?? null,
    role,
    review,
    reviewMessage: readReviewMessage(context),
    reviewActor: names.get(review?.record?.actorId ?? '') ?? 'a closed account',
    mayReview: isReviewed && (review !== null || mayHaveRequest(decision)),
  });
}

/** Whether the gate stopped the signup, so a customer may ask for it. */
function mayHaveRequest({ action, outcome }: StoredDecision): boolean {
  return action === 'block' || (action === 'verify' && outcome !== 'verified');
}

async function find(context: DashboardContext, { records }: DashboardDependencies): Promise<StoredDecision> {
  const id = context.params.id ?? '';
  const decision = isRequestId(id) && (await records.decisionSearch.find(id, scopeOf(viewerOf(context))));
  if (!decision) throw notThere();
  return decision;
}

async function label(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const { records, clock } = dependencies;
  const { requestId } = await find(context, dependencies);
  const chosen = context.state.form.text('label');
  const wanted = LABELS.find((one) => one === chosen) ?? null;
  if (wanted === null && chosen !== 'none')
    throw new PageError(400, 'The label must be fraud, legitimate or none.');
  const viewer = viewerOf(context);
  await records.act(async ({ decisionSearch, audit }) => {
    if (!(await decisionSearch.label(requestId, scopeOf(viewer), wanted))) throw notThere();
    await audit.record({
      at: clock(),
      actorId: viewer.accountId,
      actorName: viewer.name,
      act: 'decision.labelled',
      subject: requestId,
      detail: { label: wanted },
    });
  });
  seeOther(context, `/decisions/${requestId}?done=labelled`);
}

/** @returns notices about the new entry, and its id when it replaced no other entry. */
async function list(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  decision: StoredDecision,
): Promise<{ readonly notices: readonly string[]; readonly addedEntry: string | null }> {
  const { form } = context.state;
  const [verdict, what] = form.text('what').split(' ');
  const offer = offersOf(decision).find((one) => one.what === what);
  const { role } = viewerOf(context);
  if (!offer || (verdict !== 'deny' && verdict !== 'allow')) {
    throw new PageError(400, 'Choose the part of this decision to deny or allow.');
  }
  if (!mayAdd(role, verdict, offer.what)) throw new PageError(403, 'Support may allow one mailbox only.');
  const note = [form.text('note'), `decision ${decision.requestId}`].filter(Boolean).join(', ');
  const { entries, replaced, notices } = await addToLists(context, dependencies, [
    { list: verdict, subject: offer.subject, note, expiresAt: endOf(context, dependencies.clock()) },
  ]);
  // Removing the entry would not restore the entry that it replaced.
  return { notices, addedEntry: replaced === 0 ? String(entries[0]?.id ?? '') || null : null };
}

/** Removes the entry that was just added, unless it was already removed. */
async function unlist(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const { requestId } = await find(context, dependencies);
  const id = context.state.form.text('entry');
  const { accountId, name, role } = viewerOf(context);
  const entry = ENTRY_ID.test(id) ? await dependencies.records.listEntries.find(Number(id)) : null;
  if (entry && !entry.note?.endsWith(`decision ${requestId}`)) {
    throw new PageError(400, 'This list entry was not added from this decision.');
  }
  if (entry && role !== 'operator' && entry.authorId !== accountId) {
    throw new PageError(403, 'Only an operator can remove an entry of another user.');
  }
  if (entry) await dependencies.lists.remove(entry.id, { id: accountId, name });
  seeOther(context, `/decisions/${requestId}?done=unlisted`);
}
