import { type Explanation, explain } from '../../assessment/explain.ts';
import type { Policy } from '../../assessment/policy.ts';
import type { Role } from '../../storage/accounts/account-store.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { AroundDecision, NamedKey } from '../../storage/decisions/search/decision-search.ts';
import type { Corrections } from '../../storage/held-signups/held-signup-store.ts';
import type { SignupReview } from '../../storage/held-signups/review-store.ts';
import { ActionBadge, LevelBadge } from '../components/badges.tsx';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import { type ReviewMessage, ReviewNotice } from '../review/review-messages.tsx';
import { ReviewPanel } from '../review/review-panel.tsx';
import type { DashboardContext } from '../router.ts';
import { Arithmetic, Counterfactuals } from './arithmetic.tsx';
import { Around } from './around.tsx';
import { CorrectionLinks } from './correction-links.tsx';
import { CustomerPanel, LabelPanel, ListPanel, UndoForm } from './decision-acts.tsx';
import { sentenceOf } from './decision-sentence.ts';
import { Factors } from './factors.tsx';
import { Facts } from './facts.tsx';
import { Story } from './story.tsx';

export interface DecisionView {
  readonly decision: StoredDecision;
  /** The policy at the time of the decision; null when it is no longer stored. */
  readonly policy: Policy | null;
  readonly around: AroundDecision;
  readonly corrections: Corrections;
  readonly key: NamedKey | null;
  /** The role of the viewer. */
  readonly role: Role;
  /** The held or refused request. Null when the decision has no such request, or the viewer may not see it. */
  readonly review: SignupReview | null;
  /** The name of the account with the last action on it. */
  readonly reviewActor: string;
  readonly mayReview: boolean;
  /** The result of the last action on the request; null without an action. */
  readonly reviewMessage: ReviewMessage | null;
  /** The action of the last form, and notices about it. */
  readonly done: string | null;
  readonly notices: readonly string[];
  /** The list entry that the last form added, and that its author can remove; null otherwise. */
  readonly addedEntry: string | null;
}

/**
 * The page first shows what happened and why, with the possible actions beside it. Then follow the findings, and last
 * the computation.
 */
export function sendDecisionPage(context: DashboardContext, view: DecisionView): void {
  const { decision, policy, around, corrections, key, role, review } = view;
  const { csrfToken } = context.state;
  const explanation = policy && explain(decision.examinations, decision.lists, policy);
  sendPage(context, {
    title: `Decision ${decision.requestId}`,
    content: (
      <>
        <Done view={view} csrfToken={csrfToken} />
        <div class="with-aside">
          <div class="beginning">
            <h1>{sentenceOf(decision, explanation)}</h1>
            <p class="result">
              Trust score <strong>{decision.trustScore}</strong> <LevelBadge level={decision.riskLevel} />{' '}
              {decision.action !== null && (
                <ActionBadge
                  action={decision.action}
                  wantedAction={decision.wantedAction}
                  mode={decision.mode}
                />
              )}
            </p>
            <Story decision={decision} named={key} />
            <CorrectionLinks corrections={corrections} />
          </div>
          <aside aria-label="Actions">
            {view.mayReview && <ReviewPanel review={review} actor={view.reviewActor} csrfToken={csrfToken} />}
            {role !== 'support' && <LabelPanel decision={decision} csrfToken={csrfToken} />}
            {role !== 'member' && <ListPanel decision={decision} role={role} csrfToken={csrfToken} />}
            <CustomerPanel decision={decision} review={review} />
          </aside>
          <div>
            {explanation && policy ? (
              <Reasons decision={decision} explanation={explanation} policy={policy} />
            ) : (
              <Notice kind="warning">
                <p>The policy {decision.policyRevision} is not stored, so the score cannot be explained.</p>
              </Notice>
            )}
            <Facts decision={decision} named={key} />
          </div>
        </div>
        <Around decision={decision} around={around} />
      </>
    ),
  });
}

function Done({ view, csrfToken }: { readonly view: DecisionView; readonly csrfToken: string }) {
  const { decision, done, notices, addedEntry, reviewMessage } = view;
  return (
    <>
      {reviewMessage && <ReviewNotice message={reviewMessage} back="decision" csrfToken={csrfToken} />}
      {done !== null && (
        <Notice kind="done">
          <p>{done}</p>
          {addedEntry !== null && (
            <UndoForm entry={addedEntry} requestId={decision.requestId} csrfToken={csrfToken} />
          )}
        </Notice>
      )}
      {notices.length > 0 && (
        <Notice kind="warning">
          <p>Notices:</p>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Reasons(props: {
  readonly decision: StoredDecision;
  readonly explanation: Explanation;
  readonly policy: Policy;
}) {
  const { decision, explanation, policy } = props;
  return (
    <>
      <h2>Findings</h2>
      {explanation.risk_level !== decision.riskLevel && (
        <p>
          This route has its own levels. With the levels of the policy, this score would mean{' '}
          <LevelBadge level={explanation.risk_level} />.
        </p>
      )}
      <Factors explanation={explanation} levels={policy.levels} />
      <details class="panel">
        <summary>Calculation of the score</summary>
        <Arithmetic explanation={explanation} examinations={decision.examinations} />
        <Counterfactuals explanation={explanation} />
      </details>
    </>
  );
}
