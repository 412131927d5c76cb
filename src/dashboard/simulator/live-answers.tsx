import { setTimeout as sleep } from 'node:timers/promises';
import { countByThreshold } from '../../simulation/threshold-counts.ts';
import { viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { sendFragment } from '../page.tsx';
import { PageError } from '../page-error.ts';
import type { DashboardContext } from '../router.ts';
import { LiveEffect, NoEffect, StillReading } from './live-effect.tsx';
import type { LiveTables } from './live-tables.ts';
import { isMistaken, readProposal } from './proposal.ts';
import { askForTable, filterOf, ownLevelsOf } from './simulated-signups.ts';
import { postedForm } from './simulator-form.ts';

const RETRY_AFTER_SECONDS = 5;
/** The first answer waits this long for an estimate. */
const FIRST_WITHIN_MS = 2_000;
/** A page may have one running request, and one that it has already cancelled. */
const MAX_ANSWERING = 4;

/** Answers the script of the form: the effect of a policy that is still being changed. */
export function createLiveAnswers(dependencies: DashboardDependencies, tables: LiveTables) {
  const answering = new Map<string, number>();
  return async (context: DashboardContext): Promise<void> => {
    const { accountId } = viewerOf(context);
    const others = answering.get(accountId) ?? 0;
    if (others >= MAX_ANSWERING) {
      throw new PageError(429, 'Too many simulations at once. Try again in a moment.', RETRY_AFTER_SECONDS);
    }
    answering.set(accountId, others + 1);
    try {
      await answer(context, dependencies, tables);
    } finally {
      const left = (answering.get(accountId) ?? 1) - 1;
      if (left > 0) answering.set(accountId, left);
      else answering.delete(accountId);
    }
  };
}

async function answer(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  tables: LiveTables,
): Promise<void> {
  const config = dependencies.config();
  const form = postedForm(context.state.form);
  const proposal = readProposal(form);
  if (isMistaken(proposal)) {
    return sendFragment(context, <NoEffect why={[...proposal.values()][0] ?? ''} />);
  }
  const filter = await filterOf(form, proposal, dependencies);
  if (filter === null) return sendFragment(context, <NoEffect why="No account has this name." />);
  const live = askForTable(tables, dependencies, { form, proposal, filter, config });
  if (live === null) {
    const why = 'Two other simulations are reading signups. The effect appears when one has finished.';
    return sendFragment(context, <NoEffect why={why} />);
  }
  await Promise.race([live.hasFirst, sleep(FIRST_WITHIN_MS, null, { ref: false })]);
  const { estimate } = live;
  const table = live.table ?? estimate?.table ?? null;
  if (table === null) return sendFragment(context, <StillReading read={live.read} />);
  if (table.decisions === 0) {
    return sendFragment(context, <NoEffect why="There are no past signups for this choice." />);
  }
  const { policy } = proposal;
  const isWanted = () => !context.res.destroyed;
  const counts = await countByThreshold(table, { policy, ownLevels: ownLevelsOf(config), isWanted });
  if (!counts) return;
  const reading = live.table === null && estimate ? { sampled: estimate.sampled, read: live.read } : null;
  sendFragment(
    context,
    <LiveEffect table={table} counts={counts} reading={reading} levels={policy.levels} />,
  );
}
