import { openPostgresPool } from './postgres-pool.ts';
import { probePostgres } from './postgres-probe.ts';
import { parsePostgresUrl } from './postgres-url.ts';

/** The number of connections that a server has for nodes. */
export interface ConnectionRoom {
  /** The number of connections that one node may open: two pools, and one connection for notifications. */
  readonly ofNode: number;
  /** The number that is allowed for this user in this database. */
  readonly allowed: number;
  /** The setting of the server, the role or the database that sets this limit. */
  readonly limit: string;
  /** Those of them that other programs use now. */
  readonly usedByOthers: number;
}

const ROOM = `SELECT
  current_setting('max_connections')::int AS max_connections,
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true), '0')::int AS reserved,
  r.rolconnlimit AS of_role, d.datconnlimit AS of_database,
  (SELECT count(*) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND application_name NOT LIKE 'gatekeeper/%') AS others
  FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`;

interface RoomRow {
  readonly max_connections: number;
  readonly reserved: number;
  readonly of_role: number;
  readonly of_database: number;
  readonly others: number;
}

/** Null behind a pooler, which shares few connections of the server among many. Throws when the server does not answer. */
export async function readConnectionRoom(url: string): Promise<ConnectionRoom | null> {
  const { settings, isPooled } = await probePostgres(url);
  if (isPooled) return null;
  const pool = openPostgresPool(settings);
  try {
    const { rows } = await pool.query<RoomRow>(ROOM, []);
    return rows[0] ? toRoom(rows[0], 2 * parsePostgresUrl(url).max + 1) : null;
  } finally {
    await pool.close();
  }
}

function toRoom(
  { max_connections, reserved, of_role, of_database, others }: RoomRow,
  ofNode: number,
): ConnectionRoom {
  const server = {
    allowed: max_connections - reserved,
    limit: `max_connections = ${max_connections}, ${reserved} of them reserved`,
    usedByOthers: others,
  };
  // -1: no limit of its own. Other roles and databases do not use up these.
  const own = [
    { allowed: of_role, limit: `the CONNECTION LIMIT of the role, ${of_role}`, usedByOthers: 0 },
    { allowed: of_database, limit: `the CONNECTION LIMIT of the database, ${of_database}`, usedByOthers: 0 },
  ].filter(({ allowed }) => allowed >= 0);
  const roomOf = ({ allowed, usedByOthers }: typeof server) => allowed - usedByOthers;
  const tightest = [server, ...own].reduce((one, other) => (roomOf(other) < roomOf(one) ? other : one));
  return { ...tightest, ofNode };
}
