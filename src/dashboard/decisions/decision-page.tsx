import { explain } from '../../assessment/explain.ts';
import type { Policy } from '../../assessment/policy.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { AroundDecision, NamedKey } from '../../storage/decisions/search/decision-search.ts';
import { ActionBadge, LevelBadge } from '../components/badges.tsx';
import { Notice } from '../components/notice.tsx';
import { sendPage } from '../page.tsx';
import type { DashboardContext } from '../router.ts';
import { Arithmetic, Counterfactuals } from './arithmetic.tsx';
import { Around } from './around.tsx';
import { LabelForm, ListPanel } from './decision-acts.tsx';
import { Factors } from './factors.tsx';
import { Facts } from './facts.tsx';

export interface DecisionView {
  readonly decision: StoredDecision;
  /** The policy at the time of the decision; null when it is no longer stored. */
  readonly policy: Policy | null;
  readonly around: AroundDecision;
  readonly key: NamedKey | null;
  readonly mayList: boolean;
  /** The action of the last form, and notices about it. */
  readonly done: string | null;
  readonly notices: readonly string[];
}

export function sendDecisionPage(context: DashboardContext, view: DecisionView): void {
  const { decision, policy, around, done, notices } = view;
  const { csrfToken } = context.state;
  const explanation = policy && explain(decision.examinations, decision.lists, policy);
  sendPage(context, {
    title: `Decision ${decision.requestId}`,
    content: (
      <>
        <h1>
          Trust score {decision.trustScore} <LevelBadge level={decision.riskLevel} />{' '}
          {decision.action !== null && (
            <ActionBadge action={decision.action} wantedAction={decision.wantedAction} mode={decision.mode} />
          )}
        </h1>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
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
        <Facts decision={decision} named={view.key} />
        <section class="panel" aria-labelledby="label-panel">
          <h2 id="label-panel">Was this decision right?</h2>
          <p>{decision.label === null ? 'This decision has no label yet.' : `Label: ${decision.label}.`}</p>
          <LabelForm decision={decision} csrfToken={csrfToken} />
        </section>
        {explanation && policy ? (
          <>
            <h2>Findings</h2>
            {explanation.risk_level !== decision.riskLevel && (
              <p>
                This route has its own levels. With the levels of the policy, the score would be{' '}
                <LevelBadge level={explanation.risk_level} />.
              </p>
            )}
            <Factors explanation={explanation} levels={policy.levels} />
            <Arithmetic explanation={explanation} examinations={decision.examinations} />
            <Counterfactuals explanation={explanation} />
          </>
        ) : (
          <Notice kind="warning">
            <p>The policy {decision.policyRevision} is not stored, so the score cannot be explained.</p>
          </Notice>
        )}
        <Around decision={decision} around={around} />
        {view.mayList && <ListPanel decision={decision} csrfToken={csrfToken} />}
      </>
    ),
  });
}
