import type { Config } from '../../config/config.ts';
import { type Replay, replayDecisions } from '../../simulation/replay-decisions.ts';
import { compileStoredLists } from '../../simulation/stored-lists.ts';
import { operatorOnly, viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { PageError } from '../page-error.ts';
import { withProgress } from '../progress-page.tsx';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { registerFilePages } from './file/file-pages.tsx';
import { findLevels } from './find-levels.ts';
import { createLiveAnswers } from './live-answers.tsx';
import { createLiveTables, type LiveTables } from './live-tables.ts';
import { PRESETS } from './presets.ts';
import { type FormIssues, isMistaken, readProposal } from './proposal.ts';
import { proposalAsYaml } from './proposal-yaml.ts';
import { count } from './replay-tables.tsx';
import { type ChosenSignups, filterOf, ownLevelsOf } from './simulated-signups.ts';
import { currentForm, postedForm, type SimulatorForm } from './simulator-form.ts';
import { type SimulatorView, sendSimulatorPage, simulatorPage } from './simulator-page.tsx';

/** The largest number of decisions. To read and score them takes about forty seconds. */
const MAX_DECISIONS = 1_000_000;
/** Two users may simulate at once. More simulations would only wait for the reader. */
const MAX_RUNNING = 2;
const RETRY_AFTER_SECONDS = 10;

/** The simulator: scores stored decisions under another policy. For operators only. */
export function registerSimulator(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const running = new Set<string>();
  const tables = createLiveTables(dependencies.clock);
  router.get('/simulator', operatorOnly, (context) => {
    const config = dependencies.config();
    const preset = PRESETS.find(({ name }) => name === context.query.preset);
    const form = { ...currentForm(config), ...preset?.values };
    sendSimulatorPage(context, { form, config, issues: new Map(), outcome: null });
  });
  registerFilePages(router, dependencies);
  router.post('/simulator/effect', operatorOnly, createLiveAnswers(dependencies, tables));
  router.post('/simulator', operatorOnly, async (context) => {
    const { accountId } = viewerOf(context);
    if (running.has(accountId) || running.size >= MAX_RUNNING) {
      const who = running.has(accountId) ? 'Your last simulation' : 'A simulation of another user';
      throw new PageError(
        429,
        `${who} is still running. Try again when it has finished.`,
        RETRY_AFTER_SECONDS,
      );
    }
    running.add(accountId);
    try {
      await simulate(context, dependencies, tables);
    } finally {
      running.delete(accountId);
    }
  });
}

async function simulate(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  tables: LiveTables,
): Promise<void> {
  const config = dependencies.config();
  const form = postedForm(context.state.form);
  const proposal = readProposal(form);
  if (isMistaken(proposal)) return sendMistakes(context, { form, config, issues: proposal });
  const filter = await filterOf(form, proposal, dependencies);
  if (filter === null) {
    const issues = new Map([['account', 'No account has this name.']]);
    return sendMistakes(context, { form, config, issues });
  }
  const chosen = { form, proposal, filter, config };
  const view = { form, config, issues: new Map(), outcome: null };
  await withProgress(context, simulatorPage(context, view), async (progress) => {
    const show = (read: number) => progress.show(`Reading past signups: ${count(read)} so far.`);
    const finish = (changed: Partial<SimulatorView>) =>
      progress.finish(simulatorPage(context, { ...view, ...changed }));
    const wantsBest = context.state.form.has('find');
    const found = wantsBest ? await findLevels(context, dependencies, { tables, chosen, show }) : {};
    if (found === null) return;
    if (found instanceof Map) return finish({ issues: found });
    const used = { ...chosen, ...found };
    const replay = await run(context, dependencies, { ...used, show });
    const yaml = proposalAsYaml(used.proposal, config);
    const bestFor = wantsBest ? (form.share ?? '') : null;
    finish({ form: used.form, outcome: { replay, yaml, since: filter.from ?? 0, bestFor } });
  });
}

function run(
  context: DashboardContext,
  { records, pseudonymize }: DashboardDependencies,
  { proposal, filter, config, show }: Omit<ChosenSignups, 'form'> & { readonly show: (read: number) => void },
): Promise<Replay> {
  const { policy, lists } = proposal;
  const ownLevels = ownLevelsOf(config);
  return replayDecisions({
    decisions: records.decisionSearch.scanReplayable(filter),
    policy,
    levelsOf: (route) => (route === null ? undefined : ownLevels.get(route)) ?? policy.levels,
    lists: compileStoredLists(lists, pseudonymize),
    limit: MAX_DECISIONS,
    isWanted: (read) => {
      show(read);
      return !context.res.destroyed;
    },
  });
}

function sendMistakes(
  context: DashboardContext,
  view: { readonly form: SimulatorForm; readonly config: Config; readonly issues: FormIssues },
): void {
  sendSimulatorPage(context, { ...view, outcome: null });
}
