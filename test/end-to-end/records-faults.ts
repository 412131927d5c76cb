import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { FaultMode } from '../helpers/fault-proxy.ts';
import type { Fleet } from '../helpers/fleet.ts';
import { connectPostgres, type OwnPostgres } from '../helpers/postgres-server.ts';
import { until } from '../helpers/shared-counters.ts';
import type { RecordsFault } from './records-outage.contract.ts';

/** Each node may take a connection back while they are filled. */
const MAX_TRIES = 100;
const SETTLED_MS = 500;

/** The database is well, and no node reaches it. */
export function withoutNetwork(mode: FaultMode): RecordsFault {
  const setAll = async ({ nodes }: Fleet, next: FaultMode) => {
    await Promise.all(nodes.map(({ recordsProxy }) => recordsProxy?.set(next)));
  };
  return {
    begin: (fleet) => setAll(fleet, mode),
    end: (fleet) => setAll(fleet, 'pass'),
  };
}

export function frozen(server: OwnPostgres): RecordsFault {
  return { begin: () => server.freeze(), end: () => server.thaw() };
}

/** As after a failover, or for a disk that an operator saves. */
export const READ_ONLY: RecordsFault = {
  begin: (_, admin) => setReadOnly(admin, 'on'),
  end: (_, admin) => setReadOnly(admin, 'off'),
};

async function setReadOnly(admin: pg.Client, to: 'on' | 'off'): Promise<void> {
  await admin.query('SET transaction_read_only = off');
  await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${to}`);
  await admin.query('SELECT pg_reload_conf()');
  // The server tells its connections some time later.
  const isActive = async () => {
    const { rows } = await admin.query('SHOW default_transaction_read_only');
    return rows[0]?.default_transaction_read_only === to;
  };
  if (!(await until(isActive, SETTLED_MS * 20)))
    throw new Error('The server does not read its settings again.');
  await delay(SETTLED_MS);
}

/** Others hold all connections, also those that are kept for a superuser. */
export function crowded(url: string): RecordsFault {
  const held: pg.Client[] = [];
  return {
    async begin(_, admin) {
      // A connection that is about to end leaves its place later, so the nodes must have none twice in a row.
      let without = 0;
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gatekeeper/%'`,
        );
        while (
          await connectPostgres(url).then(
            (client) => held.push(client),
            () => false,
          )
        );
        // A connection that is being opened has no row yet: then not all are visible.
        const { rows } = await admin.query(
          `SELECT count(*)::int = current_setting('max_connections')::int
              AND count(*) FILTER (WHERE application_name LIKE 'gatekeeper/%') = 0 AS taken
             FROM pg_stat_activity WHERE backend_type = 'client backend'`,
        );
        without = rows[0]?.taken ? without + 1 : 0;
        if (without === 2) return;
        if (without === 1) await delay(SETTLED_MS);
      }
      throw new Error('The nodes keep their connections.');
    },
    async end() {
      await Promise.all(held.splice(0).map((client) => client.end()));
    },
  };
}

/** As an operator has it: other suites wait for longer. */
export function withDefaultTimes(url: string): string {
  const own = new URL(url);
  own.search = '';
  return own.href;
}
