import { sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';

/** The report of a node about itself. */
export interface NodeReport {
  /** Of this start of the process. */
  readonly id: string;
  /** For people: machine and process. */
  readonly name: string;
  readonly version: string;
  /** The revision of the settings that must be equal on all nodes. */
  readonly configuration: string;
  /** Of all data sets. */
  readonly data: string;
  /** How far the node's clock is ahead of the database's, in milliseconds; null when it was not measured. */
  readonly clockSkewMs: number | null;
  /** The services that do not answer this node, in single words: `counters`. */
  readonly degraded: readonly string[];
}

/** All times by the clock of the database. */
export interface FleetNode extends NodeReport {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly seenAgoMs: number;
  /** The time for which it has had these revisions. */
  readonly configurationForMs: number;
  readonly dataForMs: number;
}

export interface NodeStore {
  /** Also removes nodes that have said nothing for ten minutes. */
  report(node: NodeReport): Promise<void>;
  /** Those of the last ten minutes by name, at most 1,000. */
  list(): Promise<readonly FleetNode[]>;
  /** Removes a node that stops. */
  remove(id: string): Promise<void>;
}

const KEPT = sql`interval '10 minutes'`;
const MAX_LISTED = 1_000;

/** Plain SQL: this table exists in PostgreSQL only. */
export function createNodeStore({ db, transact }: Pick<StorageEngine, 'db' | 'transact'>): NodeStore {
  return {
    async report({ id, name, version, configuration, data, clockSkewMs, degraded }) {
      await transact(async (trx) => {
        await sql`DELETE FROM nodes WHERE seen_at < now() - ${KEPT}`.execute(trx);
        await sql`INSERT INTO nodes (id, name, version, started_at, seen_at, configuration, configuration_since,
            data, data_since, clock_skew_ms, degraded)
          VALUES (${id}, ${name}, ${version}, now(), now(), ${configuration}, now(), ${data}, now(), ${clockSkewMs},
            ${degraded.join(' ')})
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at,
            configuration = excluded.configuration, data = excluded.data,
            clock_skew_ms = excluded.clock_skew_ms, degraded = excluded.degraded,
            configuration_since = CASE WHEN nodes.configuration = excluded.configuration
              THEN nodes.configuration_since ELSE now() END,
            data_since = CASE WHEN nodes.data = excluded.data THEN nodes.data_since ELSE now() END`.execute(
          trx,
        );
      });
    },
    async list() {
      const { rows } =
        await sql<NodeRow>`SELECT id, name, version, configuration, data, clock_skew_ms, degraded,
          ${milliseconds('started_at')} AS started_at, ${agoMs('seen_at')} AS seen_ago,
          ${agoMs('configuration_since')} AS configuration_for, ${agoMs('data_since')} AS data_for
        FROM nodes WHERE seen_at >= now() - ${KEPT} ORDER BY name, id LIMIT ${MAX_LISTED}`.execute(db);
      return rows.map(toNode);
    },
    async remove(id) {
      await transact((trx) => sql`DELETE FROM nodes WHERE id = ${id}`.execute(trx));
    },
  };
}

interface NodeRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly configuration: string;
  readonly data: string;
  readonly clock_skew_ms: number | null;
  readonly degraded: string;
  readonly started_at: number;
  readonly seen_ago: number;
  readonly configuration_for: number;
  readonly data_for: number;
}

function toNode(row: NodeRow): FleetNode {
  const { id, name, version, configuration, data, degraded } = row;
  return {
    id,
    name,
    version,
    configuration,
    data,
    clockSkewMs: row.clock_skew_ms,
    degraded: degraded === '' ? [] : degraded.split(' '),
    startedAt: row.started_at,
    seenAgoMs: row.seen_ago,
    configurationForMs: row.configuration_for,
    dataForMs: row.data_for,
  };
}

function milliseconds(column: string) {
  return sql`floor(extract(epoch FROM ${sql.ref(column)}) * 1000)::bigint`;
}

function agoMs(column: string) {
  return sql`greatest(0, floor(extract(epoch FROM now() - ${sql.ref(column)}) * 1000))::bigint`;
}
