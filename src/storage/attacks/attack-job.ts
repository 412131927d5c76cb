import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { repeat } from '../repeat.ts';
import type { AttackEvent } from './attack-event.ts';
import type { AttackStore } from './attack-store.ts';

/** The interval between two searches. An attack is noticed at most this much later than it becomes visible. */
const EVERY_MS = 15_000;
const HOUR_MS = 3_600_000;

export interface AttackJob {
  close(): Promise<void>;
}

/** Looks for attacks on a timer that does not keep the process running. */
export function startAttackJob({
  attacks,
  keptMs,
  clock,
  ran,
  isHolder,
  log,
}: {
  readonly attacks: AttackStore;
  /** How long events are kept. */
  readonly keptMs: () => number;
  readonly clock: Clock;
  readonly ran: (isDone: boolean) => void;
  /** Whether this node runs the job. */
  readonly isHolder: () => boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}): AttackJob {
  const told = new Set<string>();
  let isFailing = false;
  let cleanedAt = 0;
  const repeated = repeat(run, EVERY_MS);

  async function run(): Promise<void> {
    if (!isHolder()) return;
    try {
      const now = clock();
      const found = await attacks.detect(now);
      for (const event of found) tell(event);
      if (now - cleanedAt > HOUR_MS) {
        await attacks.deleteBefore(now - keptMs());
        cleanedAt = now;
        told.clear();
        for (const { id } of found) told.add(id);
      }
      isFailing = false;
      ran(true);
    } catch (error) {
      ran(false);
      if (!isFailing && !repeated.isClosed)
        log.error({ err: error }, 'the search for attacks failed; it will be tried again');
      isFailing = true;
    }
  }

  function tell({ id, kind, name, attempts }: AttackEvent): void {
    if (told.has(id)) return;
    told.add(id);
    log.warn(
      { kind, name, attempts },
      'many signups look like one attack: see the campaigns of the dashboard',
    );
  }

  return { close: repeated.close };
}
