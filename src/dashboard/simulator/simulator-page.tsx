import type { Config } from '../../config/config.ts';
import { Notice } from '../components/notice.tsx';
import type { Page } from '../page.tsx';
import { ProgressPlace, sendWithPlace } from '../progress-page.tsx';
import type { DashboardContext } from '../router.ts';
import { FileUpload } from './file/file-upload.tsx';
import { PolicyForm } from './policy-form.tsx';
import type { FormIssues } from './proposal.ts';
import { type Outcome, ReplayResults } from './replay-results.tsx';
import type { SimulatorForm } from './simulator-form.ts';

export interface SimulatorView {
  readonly form: SimulatorForm;
  readonly config: Config;
  readonly issues: FormIssues;
  /** Null before a simulation has run. */
  readonly outcome: Outcome | null;
}

export function sendSimulatorPage(context: DashboardContext, view: SimulatorView): void {
  sendWithPlace(context, simulatorPage(context, view));
}

/** The page. When it has no results yet, it has a place for its progress. */
export function simulatorPage(
  { state }: DashboardContext,
  { form, config, issues, outcome }: SimulatorView,
): Page {
  return {
    title: 'Simulator',
    scripts: ['simulator.js'],
    status: issues.size > 0 ? 400 : 200,
    content: (
      <>
        <h1>Simulator</h1>
        <p>
          Change the policy below to see how many past frauds it would stop and how many people it would hurt.
          The stored findings of each signup are scored again. A simulation changes no decision and no
          configuration.
        </p>
        <ProgressPlace />
        {issues.size > 0 && (
          <Notice kind="error">
            <p>Nothing was simulated: some fields have errors.</p>
          </Notice>
        )}
        {outcome && <ReplayResults outcome={outcome} />}
        <PolicyForm
          form={form}
          issues={issues}
          routes={(config.proxy?.routes ?? []).map(({ name }) => name)}
          csrfToken={state.csrfToken}
        />
        <FileUpload csrfToken={state.csrfToken} />
      </>
    ),
  };
}
