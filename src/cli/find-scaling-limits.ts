import type { Config } from '../config/config.ts';
import { readConnectionRoom } from '../storage/engine/postgres-connections.ts';
import { isPostgresUrl } from '../storage/engine/postgres-url.ts';

/** A second node, which takes over when the first one stops. */
const MIN_NODES = 2;

/** What the engines of this configuration do not allow to several nodes, one sentence each. Only of engines that answer. */
export async function findScalingLimits({ storage }: Config): Promise<readonly string[]> {
  if (!isPostgresUrl(storage.records)) return [];
  const room = await readConnectionRoom(storage.records).catch(() => null);
  if (room === null) return [];
  const { ofNode, allowed, limit, usedByOthers } = room;
  const nodes = Math.max(0, Math.floor((allowed - usedByOthers) / ofNode));
  if (nodes >= MIN_NODES) return [];
  const used = usedByOthers > 0 ? `, and other programs use ${usedByOthers} now` : '';
  return [
    `storage.records: a node opens up to ${ofNode} connections, and the server allows ${allowed} (${limit})${used}: ` +
      `${nodes === 0 ? 'not even one node fits' : 'only one node fits'}. Raise that limit, lower ?max= in the URL, or use PgBouncer`,
  ];
}
