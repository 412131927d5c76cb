import type { FeedCache } from '../../datasets/feed-cache.ts';
import type { JobName } from '../../telemetry/job-names.ts';
import type { ChangeFollower, FollowerLog } from './follow-changes.ts';
import type { NodeStore } from './node-store.ts';

/** The tasks that one node does for all: jobs, and fetches of feeds. */
export type LeasedJob = JobName | 'feeds';

/** The shared state of the nodes on one database. */
export interface FleetStore {
  /** The fingerprint of the hash secret that the records were made with; null before the first start. */
  hashSecretFingerprint(): Promise<string | null>;
  /** Stores this fingerprint unless there is one. Returns the stored one: of several nodes at once, the first wins. */
  keepHashSecretFingerprint(fingerprint: string): Promise<string>;
  readonly nodes: NodeStore;
  /** The copies of feeds, which all nodes load. */
  readonly feedCopies: FeedCache;
  /**
   * Follows the changes of other nodes, so the keys and plans in the memory of this process stay current. At most one
   * for each opened storage.
   */
  followChanges(log: FollowerLog): Promise<ChangeFollower>;
  /**
   * Takes every job that no other node holds, and keeps those of this one, for that time by the database's clock.
   * Returns the jobs that this node holds.
   */
  leaseJobs(holder: string, leaseMs: number): Promise<readonly LeasedJob[]>;
  /** Other nodes may take them at once. */
  releaseJobs(holder: string): Promise<void>;
}
