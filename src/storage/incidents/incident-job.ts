import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { AttackStore } from '../attacks/attack-store.ts';
import { repeat } from '../repeat.ts';
import type { RollupStore } from '../rollups/rollup-store.ts';
import { findJumps } from './find-jumps.ts';
import type { IncidentStore } from './incident-store.ts';

const EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface IncidentJob {
  close(): Promise<void>;
}

/** Looks for jumps of refusals and degraded decisions, and deletes old incidents and messages. */
export function startIncidentJob({
  records: { incidents, attacks, rollups, alerts },
  keptMs,
  clock,
  ran,
  isHolder,
  log,
}: {
  readonly records: {
    readonly incidents: IncidentStore;
    readonly attacks: Pick<AttackStore, 'within'>;
    readonly rollups: Pick<RollupStore, 'decisions'>;
    readonly alerts: Pick<AlertStore, 'deleteOrphans'>;
  };
  /** How long incidents are kept. */
  readonly keptMs: () => number;
  readonly clock: Clock;
  readonly ran: (isDone: boolean) => void;
  /** Whether this node runs the job. */
  readonly isHolder: () => boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}): IncidentJob {
  let isFailing = false;
  let cleanedAt = 0;
  const repeated = repeat(run, EVERY_MS);

  async function run(): Promise<void> {
    if (!isHolder()) return;
    try {
      const now = clock();
      for (const { kind, facts } of await incidents.observe(now, await findJumps({ rollups, attacks, now })))
        log.warn({ kind, ...facts }, 'far more signups than usual have this: see the overview');
      if (now - cleanedAt > HOUR_MS) {
        await incidents.deleteBefore(now - keptMs());
        await alerts.deleteOrphans();
        cleanedAt = now;
      }
      isFailing = false;
      ran(true);
    } catch (error) {
      ran(false);
      if (!isFailing && !repeated.isClosed)
        log.error({ err: error }, 'the search for jumps failed; it is tried again');
      isFailing = true;
    }
  }

  return { close: repeated.close };
}
