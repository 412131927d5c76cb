import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { PostgresEngine } from '../engine/postgres-engine.ts';
import type { ConfirmedRevision } from './confirmed-revision.ts';
import { createFeedCopies } from './feed-copies.ts';
import type { FleetStore, LeasedJob } from './fleet-store.ts';
import { followChanges } from './follow-changes.ts';
import { readHashSecret, writeFirstHashSecret } from './hash-secret.ts';
import { createNodeStore } from './node-store.ts';

/** Plain SQL: these tables exist in PostgreSQL only. */
export function createFleetStore(
  { db, transact, pool, openSession }: PostgresEngine,
  { confirmed, clock }: { readonly confirmed: ConfirmedRevision; readonly clock: Clock },
): FleetStore {
  return {
    hashSecretFingerprint: () => readHashSecret(db),
    async keepHashSecretFingerprint(fingerprint) {
      await transact((trx) => writeFirstHashSecret(trx, fingerprint));
      return (await readHashSecret(db)) ?? fingerprint;
    },
    nodes: createNodeStore({ db, transact }),
    feedCopies: createFeedCopies({ db, transact }),
    followChanges: (log) => followChanges({ pool, openSession, confirmed, clock, log }),
    async leaseJobs(holder, leaseMs) {
      const { rows } = await transact((trx) =>
        sql<{ readonly name: LeasedJob }>`
          UPDATE jobs SET holder = ${holder}, leased_until = now() + ${leaseMs} * interval '1 millisecond'
          WHERE holder = ${holder} OR leased_until <= now() RETURNING name`.execute(trx),
      );
      return rows.map(({ name }) => name);
    },
    async releaseJobs(holder) {
      await transact((trx) =>
        sql`UPDATE jobs SET leased_until = to_timestamp(0) WHERE holder = ${holder}`.execute(trx),
      );
    },
  };
}
