import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../../telemetry/logger.ts';
import { type Repeated, repeat } from '../repeat.ts';
import type { FleetStore, LeasedJob } from './fleet-store.ts';

/** Together with a job's own interval less than 15 s, within which another node takes over. */
const LEASE_MS = 9_000;
const RENEW_EVERY_MS = 2_500;

/** The background jobs that this node runs. */
export interface JobLeases {
  /** Asked before each run. False as soon as the lease could have ended. */
  holds(job: LeasedJob): boolean;
  /** Releases the jobs, so that another node takes them at once. */
  close(): Promise<void>;
}

/** For SQLite: each process runs every job, whose steps are transactions and may repeat. */
export const ALL_JOBS: JobLeases = { holds: () => true, close: async () => {} };

/** Holds the jobs that no other node holds, and renews them on a timer that does not keep the process running. */
export async function openJobLeases({
  fleet,
  log,
}: {
  readonly fleet: Pick<FleetStore, 'leaseJobs' | 'releaseJobs'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}): Promise<JobLeases> {
  const holder = `${hostname()}/${randomUUID()}`;
  let held: ReadonlySet<LeasedJob> = new Set();
  /** The time of this process's monotonic clock, so a wrong time of day has no effect. */
  let heldUntil = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let repeated: Repeated | null = null;
  await renew();
  repeated = repeat(renew, RENEW_EVERY_MS);

  async function renew(): Promise<void> {
    // From before the request: the database counts from later on, so this node stops first.
    const begunAt = performance.now();
    try {
      const leased = new Set(await fleet.leaseJobs(holder, LEASE_MS));
      const taken = [...leased].filter((job) => !held.has(job));
      held = leased;
      heldUntil = begunAt + LEASE_MS;
      isFailing = false;
      if (taken.length > 0) log.info({ jobs: taken }, 'this node runs these background jobs now');
    } catch (error) {
      if (!isFailing && !repeated?.isClosed)
        log.warn({ err: error }, 'the background jobs could not be leased; another node may run them');
      isFailing = true;
    }
  }

  return {
    holds: (job) => held.has(job) && performance.now() < heldUntil,
    async close() {
      await repeated.close();
      held = new Set();
      // The lease ends by itself.
      await fleet.releaseJobs(holder).catch(() => {});
    },
  };
}
