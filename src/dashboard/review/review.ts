import { isRequestId } from '../../http/request-id.ts';
import type { SignupReview } from '../../storage/held-signups/review-store.ts';
import type { Review, Reviewer } from '../../verification/review.ts';
import { seeOther, staffOnly, viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { createPolicies } from '../decisions/policies.ts';
import { notThere, PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { readDesk } from './read-desk.ts';
import { type ReviewAct, type ReviewDone, readReviewMessage } from './review-messages.tsx';
import { sendReviewPage } from './review-page.tsx';

const TIME = /^\d{1,14}$/;

/**
 * The review desk: held and refused signups, for operators and support. After an action, the user returns to the page
 * of the form.
 */
export function registerReview(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const policies = createPolicies(dependencies.records);
  router.get('/review', staffOnly, async (context) => {
    const { config, review } = dependencies;
    sendReviewPage(context, {
      desk: await readDesk(dependencies, policies),
      message: readReviewMessage(context),
      keepsRefused: config().review.keep_refused,
      hasGate: review !== null,
    });
  });
  for (const act of Object.keys(ACTS) as ReviewAct[]) {
    router.post(`/review/:id/${act}`, staffOnly, (context) => perform(context, dependencies, act));
  }
}

interface ActOn {
  readonly review: Review;
  readonly found: SignupReview;
  readonly by: Reviewer;
  readonly context: DashboardContext;
}

/** Runs an action. The result is a message for the next page, with the times of a changed expiry. */
const ACTS: Readonly<Record<ReviewAct, (on: ActOn) => Promise<ReviewDone>>> = {
  async 'let-in'({ review, found: { signup }, by }) {
    if (!signup) return { done: 'closed' };
    const result = await review.letIn(signup.requestId, by);
    return { done: result.kind === 'sent' ? 'let-in' : result.kind };
  },
  async mail({ review, found: { signup }, by }) {
    return { done: signup ? (await review.mailAgain(signup, by)).kind : 'closed' };
  },
  async extend({ review, found: { signup }, by }) {
    const moved = signup && (await review.extend(signup, by));
    return moved ? { done: 'extended', ...moved } : { done: 'not-extended' };
  },
  async shorten({ review, found: { signup }, by, context }) {
    const [from, to] = ['from', 'to'].map((name) => context.state.form.text(name));
    if (!TIME.test(from ?? '') || !TIME.test(to ?? '')) throw new PageError(400, 'The form is not complete.');
    const move = { from: Number(from), to: Number(to) };
    const isDone = signup && (await review.shorten({ requestId: signup.requestId, ...move }, by));
    return { done: isDone ? 'undone' : 'closed' };
  },
  async refuse({ review, found: { signup }, by }) {
    return { done: signup && (await review.refuse(signup.requestId, by)) ? 'refused' : 'closed' };
  },
  async restore({ review, found: { signup }, by }) {
    return { done: signup && (await review.restore(signup.requestId, by)) ? 'undone' : 'closed' };
  },
};

async function perform(
  context: DashboardContext,
  { records, review, clock }: DashboardDependencies,
  act: ReviewAct,
): Promise<void> {
  const id = context.params.id ?? '';
  if (review === null || !isRequestId(id)) throw notThere();
  const found = await records.reviews.reviewOf(id, clock());
  if (!found && !(await records.decisionSearch.find(id, null))) throw notThere();
  const { accountId, name } = viewerOf(context);
  const by = { accountId, name };
  const done = await ACTS[act]({ review, found: found ?? { signup: null, record: null }, by, context });
  const query = new URLSearchParams(Object.entries(done).map(([key, value]) => [key, String(value)]));
  if (context.state.form.text('back') === 'desk') {
    query.set('of', id);
    return seeOther(context, `/review?${query}`);
  }
  seeOther(context, `/decisions/${id}?${query}`);
}
