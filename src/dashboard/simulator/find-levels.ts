import { findBestThresholds } from '../../simulation/best-thresholds.ts';
import type { ReplayTable } from '../../simulation/replay-table.ts';
import { ALL_GROUPS, GROUPS } from '../../simulation/replay-table.ts';
import { countByThreshold } from '../../simulation/threshold-counts.ts';
import type { Label } from '../../storage/decisions/decision-record.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import { PageError } from '../page-error.ts';
import type { DashboardContext } from '../router.ts';
import type { LiveTables } from './live-tables.ts';
import { type FormIssues, isMistaken, type Proposal, readProposal } from './proposal.ts';
import { askForTable, type ChosenSignups, ownLevelsOf } from './simulated-signups.ts';
import type { SimulatorForm } from './simulator-form.ts';

const POLL_MS = 100;
const RETRY_AFTER_SECONDS = 10;

/**
 * The form with the best levels for its share of people who may be hurt.
 * @returns the error of the field when there are no such levels; null when the client has disconnected.
 */
export async function findLevels(
  context: DashboardContext,
  dependencies: DashboardDependencies,
  {
    tables,
    chosen,
    show,
  }: {
    readonly tables: LiveTables;
    readonly chosen: ChosenSignups;
    /** Called while decisions are read, with their number. */
    readonly show: (read: number) => void;
  },
): Promise<{ readonly form: SimulatorForm; readonly proposal: Proposal } | FormIssues | null> {
  const { form, proposal, config } = chosen;
  const share = readShare(form.share ?? '');
  if (share === null) return refused('Give a percentage from 0 to 100.');
  const isWanted = () => !context.res.destroyed;
  const table = await completeTable(isWanted, () => {
    const live = askForTable(tables, dependencies, chosen);
    if (live) show(live.read);
    return live;
  });
  if (table === null) return null;
  for (const outcome of ['legitimate', 'fraud'] as const) {
    if (!hasAny(table, outcome)) return refused(`None of these signups is known to be ${outcome}.`);
  }
  const { policy } = proposal;
  const counts = await countByThreshold(table, { policy, ownLevels: ownLevelsOf(config), isWanted });
  if (counts === null) return null;
  const best = await findBestThresholds(counts, share);
  if (best === null)
    return refused('With the other settings, all levels hurt more legitimate people than that.');
  if (best.effect.fraud.affected === 0) {
    return refused('With the other settings, no levels within this share stop a known fraud.');
  }
  const { low, medium } = best.levels;
  const filled = { ...form, 'levels-low': String(low), 'levels-medium': String(medium) };
  const read = readProposal(filled);
  return isMistaken(read) ? read : { form: filled, proposal: read };
}

/** Waits until all decisions are read. Its repeated requests keep the reading alive. */
async function completeTable(
  isWanted: () => boolean,
  ask: () => ReturnType<typeof askForTable>,
): Promise<ReplayTable | null> {
  while (isWanted()) {
    const live = ask();
    if (live === null) {
      throw new PageError(
        429,
        'Two other simulations are reading signups. Try again when one has finished.',
        RETRY_AFTER_SECONDS,
      );
    }
    if (live.table) return live.table;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

function hasAny({ profiles, counts }: ReplayTable, outcome: Label): boolean {
  const groups = ALL_GROUPS.filter((group) => group.outcome === outcome).map(({ group }) => group);
  return profiles.some((_, profile) => groups.some((group) => (counts[profile * GROUPS + group] ?? 0) > 0));
}

/** The share, 0 to 1. */
function readShare(text: string): number | null {
  const percent = /^\d{1,3}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  return percent >= 0 && percent <= 100 ? percent / 100 : null;
}

function refused(why: string): FormIssues {
  return new Map([['share', why]]);
}
