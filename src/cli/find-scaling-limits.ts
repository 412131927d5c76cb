import type { Config } from '../config/config.ts';
import type { MemoryLimit } from '../counters/redis/redis-connection.ts';
import { type ConnectionRoom, readConnectionRoom } from '../storage/engine/postgres-connections.ts';
import { doNotificationsArrive } from '../storage/engine/postgres-notifications.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';

/** A second node, which takes over when the first one stops. */
const MIN_NODES = 2;

/** What the engines of this configuration do not allow to several nodes, one sentence each. Only of engines that answer. */
export async function findScalingLimits(config: Config): Promise<readonly string[]> {
  const found = await Promise.all([findLimitsOfRecords(config), findLimitsOfCounters(config)]);
  return found.flat();
}

async function findLimitsOfCounters({ storage }: Config): Promise<readonly string[]> {
  if (storage.counters === 'memory') return [];
  const { readMemoryLimits } = await import('../counters/redis/read-memory-limits.ts');
  const limits = (await readMemoryLimits(storage.counters).catch(() => null)) ?? [];
  // The servers of a cluster have the same settings as a rule: each sentence once.
  return [...new Set(limits.flatMap(describeMemory))];
}

function describeMemory({ maxBytes, policy }: MemoryLimit): readonly string[] {
  if (maxBytes === 0) return [UNLIMITED];
  if (policy === RIGHT_POLICY || policy === '') return [];
  const consequence =
    policy === 'noeviction'
      ? 'a server that is full counts nothing more, and each node counts alone'
      : 'a server that is full may delete the counts of an attack, and keep those of single signups';
  return [
    `storage.counters: with maxmemory-policy ${policy}, ${consequence}. ` +
      `Set maxmemory-policy ${RIGHT_POLICY}, which deletes those first that expire first`,
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
  'storage.records: notifications of PostgreSQL do not arrive, as through a pooler in transaction mode. ' +
  'Nodes read changes of each other every 250 ms; with the address of the server itself they learn of them at once';

const UNSHARED_VISITS =
  'proxy.routes: form has no effect. With PostgreSQL, another node may have seen the visit of the page, and nodes tell each other ' +
  'in Redis only: set storage.counters, such as redis://localhost:6379';

/** Keys of single signups expire sooner than others when memory becomes scarce, so they go first. */
const RIGHT_POLICY = 'volatile-ttl';

const UNLIMITED =
  'storage.counters: the server has no maxmemory, so counts grow until its machine has no memory left. Set maxmemory, such as 512mb, ' +
  `and maxmemory-policy ${RIGHT_POLICY}: 0.65 GB hold the counts of a million new people in a day`;

/** With several workers, each has its own connections, and so has the process that starts them. */
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
