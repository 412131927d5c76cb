import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { fromDecisionRow } from '../decisions/decision-row.ts';
import type { StorageEngine } from '../engine/engine.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { type ExportHolder, type ExportStore, LARGEST_BATCH } from './export-store.ts';

/** Two columns of so many rows, read outside the event loop. */
const GIVE_UP_ROWS = 10_000;

/**
 * The position is an id of the table of decisions, so exports cost the scoring path nothing and need no second copy of a
 * decision that an erasure would have to find.
 *
 * @param settledId The newest id below which no decision can be committed any more. In SQLite this is the newest one: it
 *   has one writer at a time.
 * @param now The clock of the database, which all nodes share: one whose own is ahead takes no lease and gives up no
 *   decision before its time.
 */
export function createExportStore(
  { db, reader, transact }: StorageEngine,
  { settledId, now }: { readonly settledId: () => Promise<number>; readonly now: () => Promise<number> },
): ExportStore {
  const find = (name: string, from: Kysely<StorageSchema> = db) =>
    from.selectFrom('exports').selectAll().where('name', '=', name).executeTakeFirst();

  const change = (trx: Kysely<StorageSchema>, { name, owner }: ExportHolder) =>
    trx.updateTable('exports').where('name', '=', name).where('leased_by', '=', owner);

  return {
    async add(name) {
      if (await find(name)) return;
      const position = await settledId();
      await transact((trx) =>
        trx
          .insertInto('exports')
          .values({ name, position })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute(),
      );
    },
    async lease({ name, owner }, leaseMs) {
      const at = await now();
      const { numUpdatedRows } = await transact((trx) =>
        trx
          .updateTable('exports')
          .set({ leased_by: owner, leased_until: at + leaseMs })
          .where('name', '=', name)
          .where((where) =>
            where.or([
              where('leased_by', 'is', null),
              where('leased_by', '=', owner),
              where('leased_until', '<=', at),
            ]),
          )
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },
    async release(holder) {
      await transact((trx) => change(trx, holder).set({ leased_by: null, leased_until: 0 }).execute());
    },
    async nextBatch(holder, maxDecisions) {
      const row = await find(holder.name);
      if (row?.leased_by !== holder.owner) return null;
      const upTo = row.batch_end ?? (await settledId());
      if (upTo <= row.position) return null;
      const rows = await reader
        .selectFrom('decisions')
        .selectAll()
        .where('id', '>', row.position)
        .where('id', '<=', upTo)
        .orderBy('id')
        // A batch that was made before is always complete: its end becomes the position.
        .limit(row.batch_id === null ? maxDecisions : LARGEST_BATCH)
        .execute();
      const decisions = rows.map(fromDecisionRow);
      if (row.batch_id !== null) return { id: row.batch_id, decisions };
      const last = rows.at(-1);
      // All of them were deleted.
      if (!last) {
        await transact((trx) =>
          change(trx, holder).set({ position: upTo }).where('position', '=', row.position).execute(),
        );
        return null;
      }
      const id = newBatchId();
      const { numUpdatedRows } = await transact((trx) =>
        change(trx, holder)
          .set({ batch_id: id, batch_end: last.id })
          // A deletion may have moved the position back.
          .where('position', '=', row.position)
          .where('batch_id', 'is', null)
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n ? { id, decisions } : null;
    },
    async shorten(holder, { id }, toDecisions) {
      await transact(async (trx) => {
        const row = await find(holder.name, trx);
        if (row?.batch_id !== id || row.batch_end === null) return;
        const last = await trx
          .selectFrom('decisions')
          .select('id')
          .where('id', '>', row.position)
          .where('id', '<=', row.batch_end)
          .orderBy('id')
          .offset(toDecisions - 1)
          .limit(1)
          .executeTakeFirst();
        if (!last) return;
        await change(trx, holder)
          .set({ batch_id: newBatchId(), batch_end: last.id })
          .where('batch_id', '=', id)
          .execute();
      });
    },
    async delivered(holder, { id, decisions }) {
      await transact((trx) =>
        change(trx, holder)
          .set((column) => ({
            position: column.ref('batch_end').$notNull(),
            batch_id: null,
            batch_end: null,
            failing_since: null,
            delivered: column('delivered', '+', decisions.length),
          }))
          .where('batch_id', '=', id)
          .execute(),
      );
    },
    async failed(holder) {
      const at = await now();
      await transact((trx) =>
        change(trx, holder).set({ failing_since: at }).where('failing_since', 'is', null).execute(),
      );
      return at - ((await find(holder.name))?.failing_since ?? at);
    },
    async giveUp(holder, ageMs) {
      const before = (await now()) - ageMs;
      const row = await find(holder.name);
      if (row?.leased_by !== holder.owner) return { count: 0, hasMore: false };
      const rows = await reader
        .selectFrom('decisions')
        .select(['id', 'processed_at'])
        .where('id', '>', row.position)
        .where('id', '<=', await settledId())
        .orderBy('id')
        .limit(GIVE_UP_ROWS)
        .execute();
      const young = rows.findIndex((decision) => decision.processed_at >= before);
      const old = young === -1 ? rows : rows.slice(0, young);
      const last = old.at(-1);
      if (!last) return { count: 0, hasMore: false };
      const { numUpdatedRows } = await transact((trx) =>
        change(trx, holder)
          .set((column) => ({
            position: last.id,
            batch_id: null,
            batch_end: null,
            given_up: column('given_up', '+', old.length),
          }))
          .where('position', '=', row.position)
          .executeTakeFirst(),
      );
      const count = numUpdatedRows > 0n ? old.length : 0;
      return { count, hasMore: old.length === GIVE_UP_ROWS };
    },
    async progress(name) {
      const row = await find(name);
      if (!row) return null;
      const { position, delivered, given_up: givenUp, failing_since: failingSince } = row;
      return { waiting: Math.max(0, (await settledId()) - position), delivered, givenUp, failingSince };
    },
  };
}

function newBatchId(): string {
  return `msg_${randomUUID()}`;
}

/**
 * To be called in a transaction that has deleted decisions. SQLite may reuse the newest ids: positions beyond the newest
 * decision move back to it, so that decisions with reused ids are delivered. A batch that ends beyond it is made anew.
 */
export async function moveExportsBack(trx: Kysely<StorageSchema>, newest: number): Promise<void> {
  await trx.updateTable('exports').set({ position: newest }).where('position', '>', newest).execute();
  await trx
    .updateTable('exports')
    .set({ batch_id: null, batch_end: null })
    .where('batch_end', '>', newest)
    .execute();
}
