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
  /** Of its day; null where it is not stored any more. */
  readonly policy: Policy | null;
  readonly around: AroundDecision;
  readonly key: NamedKey | null;
  readonly mayList: boolean;
  /** What was just done, and what is worth knowing about it. */
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
          {decision.action !== null && <ActionBadge action={decision.action} mode={decision.mode} />}
        </h1>
        {done !== null && (
          <Notice kind="done">
            <p>{done}</p>
          </Notice>
        )}
        {notices.length > 0 && (
          <Notice kind="warning">
            <p>You may want to know:</p>
            <ul>
              {notices.map((notice) => (
                <li key={notice}>{notice}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Facts decision={decision} named={view.key} />
        <section class="panel" aria-labelledby="label-panel">
          <h2 id="label-panel">Was that right?</h2>
          <p>
            {decision.label === null ? 'Nobody has said so yet.' : `It is labelled as ${decision.label}.`}
          </p>
          <LabelForm decision={decision} csrfToken={csrfToken} />
        </section>
        {explanation && policy ? (
          <>
            <h2>What was noticed</h2>
            {explanation.risk_level !== decision.riskLevel && (
              <p>
                The route has levels of its own: by those of the policy, the score would be{' '}
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
