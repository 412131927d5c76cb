import type { Config } from '../config/config.ts';
import { type ConnectionRoom, readConnectionRoom } from '../storage/engine/postgres-connections.ts';
import { doNotificationsArrive } from '../storage/engine/postgres-notifications.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';

/** A second node, which takes over when the first one stops. */
const MIN_NODES = 2;

/** What the engines of this configuration do not allow to several nodes, one sentence each. Only of engines that answer. */
export async function findScalingLimits({ storage, proxy }: Config): Promise<readonly string[]> {
  const { records } = storage;
  if (!isPostgresUrl(records)) return [];
  const [room, isNotified] = await Promise.all([
    readConnectionRoom(records).catch(() => null),
    doNotificationsArrive(records).catch(() => true),
  ]);
  const tight = room && describeRoom(room);
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

function describeRoom({ ofNode, allowed, limit, usedByOthers }: ConnectionRoom): string | null {
  const nodes = Math.max(0, Math.floor((allowed - usedByOthers) / ofNode));
  if (nodes >= MIN_NODES) return null;
  const used = usedByOthers > 0 ? `, and other programs use ${usedByOthers} now` : '';
  return (
    `storage.records: a node opens up to ${ofNode} connections, and the server allows ${allowed} (${limit})${used}: ` +
    `${nodes === 0 ? 'not even one node fits' : 'only one node fits'}. Raise that limit, lower ?max= in the URL, or use PgBouncer`
  );
}
