import type { Policy } from '../../assessment/policy.ts';
import type { Config } from '../../config/config.ts';
import { compileStoredLists } from '../../simulation/stored-lists.ts';
import type { ReplayableDecision, SummedDecisions } from '../../storage/decisions/decision-record.ts';
import { ANY_DECISION, type DecisionFilter } from '../../storage/decisions/search/decision-filter.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { LiveTable, LiveTables } from './live-tables.ts';
import type { Proposal } from './proposal.ts';
import type { SimulatorForm } from './simulator-form.ts';

const DAY_MS = 86_400_000;

/**
 * The decisions that a form chooses.
 * @returns null when no account has this name.
 */
export async function filterOf(
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

/** The levels of routes that have their own. */
export function ownLevelsOf({ proxy }: Config): ReadonlyMap<string, Policy['levels']> {
  return new Map(
    (proxy?.routes ?? []).flatMap(({ name, levels }) => (levels ? [[name, levels] as const] : [])),
  );
}

/** The signups and the policy that a valid form chooses. */
export interface ChosenSignups {
  readonly form: SimulatorForm;
  readonly proposal: Proposal;
  readonly filter: DecisionFilter;
  readonly config: Config;
}

/** The summed-up decisions that a form chooses, with its added list entries. */
export function askForTable(
  tables: LiveTables,
  { records, pseudonymize }: DashboardDependencies,
  { form, proposal, filter, config }: ChosenSignups,
): LiveTable | null {
  const ownLevels = ownLevelsOf(config);
  const { days, scope, account } = form;
  const key = JSON.stringify([days, scope, account, proposal.typedLists, [...ownLevels.keys()]]);
  const lists = compileStoredLists(proposal.lists, pseudonymize);
  const hasLists = proposal.lists.allow.length + proposal.lists.deny.length > 0;
  const withOwnRoute = <Decision extends Pick<SummedDecisions, 'route'>>(decision: Decision): Decision => ({
    ...decision,
    route: decision.route !== null && ownLevels.has(decision.route) ? decision.route : null,
  });
  const withLists = <Decision extends ReplayableDecision>(decision: Decision): Decision => ({
    ...withOwnRoute(decision),
    lists: [...decision.lists, ...lists.match(decision)],
  });
  const search = records.decisionSearch;
  return tables.ask(key, {
    sample: async () => (await search.sample(filter)).map(withLists),
    async *all() {
      if (hasLists) {
        // An entry is matched with one signup at a time.
        for await (const chunk of search.scanReplayable(filter)) {
          yield chunk.map((decision) => ({ ...withLists(decision), count: 1 }));
        }
      } else {
        for await (const chunk of search.scanSummed(filter)) yield chunk.map(withOwnRoute);
      }
    },
  });
}
