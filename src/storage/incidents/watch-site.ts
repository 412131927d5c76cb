import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { repeat } from '../repeat.ts';
import type { IncidentStore } from './incident-store.ts';
import { findSiteConditions, type SiteState } from './site-conditions.ts';

const EVERY_MS = 60_000;
/** A feed may be missing until its first download, and a form is tried while an app is installed. */
const LASTING_MS = 15 * 60_000;

export interface SiteWatch {
  close(): Promise<void>;
}

/**
 * Stores conditions that only this process knows of, once they have lasted a quarter of an hour. Every process has its
 * own watch, and the storage combines equal conditions into one incident.
 */
export function watchSite({
  incidents,
  state,
  clock,
  log,
  everyMs = EVERY_MS,
}: {
  readonly incidents: Pick<IncidentStore, 'observe'>;
  readonly state: () => SiteState;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
  readonly everyMs?: number;
}): SiteWatch {
  let since = new Map<string, number>();
  let isFailing = false;
  const repeated = repeat(look, everyMs);

  async function look(): Promise<void> {
    try {
      const now = clock();
      const found = findSiteConditions(state(), now).map((condition) => {
        const name = `${condition.kind} ${condition.key}`;
        return { name, condition, since: since.get(name) ?? now };
      });
      since = new Map(found.map((one) => [one.name, one.since]));
      const lasting = found.filter((one) => now - one.since >= LASTING_MS);
      await incidents.observe(
        now,
        lasting.map(({ condition }) => condition),
      );
      isFailing = false;
    } catch (error) {
      if (!isFailing && !repeated.isClosed)
        log.error({ err: error }, 'the state of the site could not be stored; it is tried again');
      isFailing = true;
    }
  }

  return { close: repeated.close };
}
