import type { Config } from '../config/config.ts';
import type { MemoryLimit } from '../counters/redis/redis-connection.ts';
import { type ConnectionRoom, readConnectionRoom } from '../storage/engine/postgres-connections.ts';
import { doNotificationsArrive } from '../storage/engine/postgres-notifications.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';

/** The lowest number of nodes: with a second node, the site continues when the first one stops. */
const MIN_NODES = 2;

/**
 * The limits of the engines of this configuration for several nodes, one sentence each. Only engines that answer are
 * checked.
 */
export async function findScalingLimits(config: Config): Promise<readonly string[]> {
  const found = await Promise.all([findLimitsOfRecords(config), findLimitsOfCounters(config)]);
  return found.flat();
}

async function findLimitsOfCounters({ storage }: Config): Promise<readonly string[]> {
  if (storage.counters === 'memory') return [];
  const { readMemoryLimits } = await import('../counters/redis/read-memory-limits.ts');
  const limits = (await readMemoryLimits(storage.counters).catch(() => null)) ?? [];
  // The servers of a cluster usually have the same settings, so each sentence is reported once.
  return [...new Set(limits.flatMap(describeMemory))];
}

function describeMemory({ maxBytes, policy }: MemoryLimit): readonly string[] {
  if (maxBytes === 0) return [UNLIMITED];
  if (policy === RIGHT_POLICY || policy === '') return [];
  const consequence =
    policy === 'noeviction'
      ? 'a full server does not count any more, and each node counts alone'
      : 'a full server may delete the counts of an attack and keep those of single signups';
  return [
    `storage.counters: with maxmemory-policy ${policy}, ${consequence}. ` +
      `Set maxmemory-policy ${RIGHT_POLICY}, which first deletes the counts that expire first`,
  ];
}

async function findLimitsOfRecords({ storage, proxy, workers }: Config): Promise<readonly string[]> {
  const { records } = storage;
  if (!isPostgresUrl(records)) return [];
  const [room, isNotified] = await Promise.all([
    readConnectionRoom(records).catch(() => null),
    doNotificationsArrive(records).catch(() => true),
  ]);
  const tight = room && describeRoom(room, workers);
  const isBlind = storage.counters === 'memory' && proxy?.routes.some(({ form }) => form !== null);
  return [
    ...(tight === null ? [] : [tight]),
    ...(isNotified ? [] : [NOT_NOTIFIED]),
    ...(isBlind ? [UNSHARED_VISITS] : []),
  ];
}

const NOT_NOTIFIED =
  'storage.records: notifications of PostgreSQL do not arrive, for example because a pooler runs in transaction mode. ' +
  'Nodes read changes of each other every 250 ms; with a direct connection to the server they learn of changes immediately';

const UNSHARED_VISITS =
  'proxy.routes: form has no effect. With PostgreSQL, another node may have received the visit of the page, and nodes share visits ' +
  'in Redis only: set storage.counters, such as redis://localhost:6379';

/** If memory becomes scarce, keys of single signups are deleted first, because they expire sooner than others. */
const RIGHT_POLICY = 'volatile-ttl';

const UNLIMITED =
  'storage.counters: the server has no maxmemory, so counts grow until its machine has no memory left. Set maxmemory, such as 512mb, ' +
  `and maxmemory-policy ${RIGHT_POLICY}: 0.65 GB is enough for the counts of a million new people in a day`;

/** With several workers, each worker has its own connections, and so has the process that starts the workers. */
function describeRoom(
  { ofNode: ofProcess, allowed, limit, usedByOthers }: ConnectionRoom,
  workers: number,
): string | null {
  const ofNode = ofProcess * (workers === 1 ? 1 : workers + 1);
  const ofWorkers = workers === 1 ? '' : ` with ${workers} workers`;
  const nodes = Math.max(0, Math.floor((allowed - usedByOthers) / ofNode));
  if (nodes >= MIN_NODES) return null;
  const used = usedByOthers > 0 ? `, and other programs use ${usedByOthers} now` : '';
  return (
    `storage.records: a node${ofWorkers} opens up to ${ofNode} connections, and the server allows ${allowed} (${limit})${used}: ` +
    `${nodes === 0 ? 'not even one node fits' : 'only one node fits'}. Raise that limit, lower ?max= in the URL, or use PgBouncer`
  );
}
