import type { Config } from '../../config/config.ts';
import { type Replay, replayDecisions } from '../../simulation/replay-decisions.ts';
import { compileStoredLists } from '../../simulation/stored-lists.ts';
import { ANY_DECISION, type DecisionFilter } from '../../storage/decisions/search/decision-filter.ts';
import { operatorOnly, viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { PageError } from '../page-error.ts';
import type { DashboardContext, DashboardRouter } from '../router.ts';
import { type FormIssues, isMistaken, type Proposal, readProposal } from './proposal.ts';
import { proposalAsYaml } from './proposal-yaml.ts';
import { currentForm, postedForm, type SimulatorForm } from './simulator-form.ts';
import { sendSimulatorPage } from './simulator-page.tsx';

const DAY_MS = 86_400_000;
/** Reading and scoring take about eight seconds. */
const MAX_DECISIONS = 200_000;
/** Two users at once. More simulations would wait for the one reader. */
const MAX_RUNNING = 2;
const RETRY_AFTER_SECONDS = 10;

/** The simulator: scores stored decisions under another policy. For operators only. */
export function registerSimulator(router: DashboardRouter, dependencies: DashboardDependencies): void {
  const running = new Set<string>();
  router.get('/simulator', operatorOnly, (context) => {
    const config = dependencies.config();
    sendSimulatorPage(context, { form: currentForm(config), config, issues: new Map(), outcome: null });
  });
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
      await simulate(context, dependencies);
    } finally {
      running.delete(accountId);
    }
  });
}

async function simulate(context: DashboardContext, dependencies: DashboardDependencies): Promise<void> {
  const config = dependencies.config();
  const form = postedForm(context.state.form);
  const proposal = readProposal(form);
  if (isMistaken(proposal)) return sendMistakes(context, { form, config, issues: proposal });
  const filter = await filterOf(form, proposal, dependencies);
  if (filter === null) {
    const issues = new Map([['account', 'No account has this name.']]);
    return sendMistakes(context, { form, config, issues });
  }
  const replay = await run(context, dependencies, { proposal, filter, config });
  sendSimulatorPage(context, {
    ...{ form, config, issues: new Map() },
    outcome: { replay, yaml: proposalAsYaml(proposal, config), since: filter.from ?? 0 },
  });
}

function run(
  context: DashboardContext,
  { records, pseudonymize }: DashboardDependencies,
  {
    proposal,
    filter,
    config,
  }: { readonly proposal: Proposal; readonly filter: DecisionFilter; readonly config: Config },
): Promise<Replay> {
  const { policy, lists } = proposal;
  const ownLevels = new Map(
    (config.proxy?.routes ?? []).flatMap(({ name, levels }) => (levels ? [[name, levels] as const] : [])),
  );
  return replayDecisions({
    decisions: records.decisionSearch.scanReplayable(filter),
    policy,
    levelsOf: (route) => (route === null ? undefined : ownLevels.get(route)) ?? policy.levels,
    lists: compileStoredLists(lists, pseudonymize),
    limit: MAX_DECISIONS,
    isWanted: () => !context.res.destroyed,
  });
}

/** Null when no account has this name. */
async function filterOf(
  form: SimulatorForm,
  { days }: Proposal,
  { records, clock }: DashboardDependencies,
): Promise<DecisionFilter | null> {
  const { scope = '', account: name = '' } = form;
  const account = name === '' ? null : await records.accounts.findByName(name);
  if (name !== '' && account === null) return null;
  const route = /^route:(.*)$/s.exec(scope)?.[1];
  return {
    ...ANY_DECISION,
    from: clock() - days * DAY_MS,
    accountId: account?.id ?? null,
    doors: scope === 'api' || scope === 'gate' ? [scope] : [],
    routes: route === undefined ? [] : [route],
  };
}

function sendMistakes(
  context: DashboardContext,
  view: { readonly form: SimulatorForm; readonly config: Config; readonly issues: FormIssues },
): void {
  sendSimulatorPage(context, { ...view, outcome: null });
}
