import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { ATTACKS_LOCK } from '../locks.ts';
import type { RollupStore } from '../rollups/rollup-store.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { AttackEvent, DetectedAttack } from './attack-event.ts';
import { type AttackStore, continues, SAME_EVENT_WITHIN_MS } from './attack-store.ts';
import { findAttacks } from './find-attacks.ts';

const MAX_EVENTS = 200;

export function createAttackStore(engine: StorageEngine, rollups: Pick<RollupStore, 'reasons'>): AttackStore {
  const { db, transact, lock } = engine;

  async function within({ from, to }: { from: number; to: number }, on = db): Promise<AttackEvent[]> {
    const rows = await on
      .selectFrom('attack_events')
      .selectAll()
      .where('ended_at', '>=', from)
      .where('began_at', '<', to)
      .orderBy('ended_at', 'desc')
      .limit(MAX_EVENTS)
      .execute();
    return rows.map(toAttackEvent).sort((a, b) => a.beganAt - b.beganAt);
  }

  /** Another process may have stored the same attack meanwhile. */
  function save(detected: readonly DetectedAttack[]): Promise<AttackEvent[]> {
    return transact(async (trx) => {
      await lock(trx, [ATTACKS_LOCK]);
      const stored: AttackEvent[] = [];
      for (const attack of detected) {
        const { beganAt, endedAt } = attack;
        const near = await within({ from: beganAt - SAME_EVENT_WITHIN_MS, to: endedAt + 1 }, trx);
        const known = near.find((event) => continues(event, attack));
        const event = known ? goOn(known, attack) : { ...attack, id: randomUUID() };
        const row = toRow(event);
        if (known) await trx.updateTable('attack_events').set(row).where('id', '=', event.id).execute();
        else await trx.insertInto('attack_events').values(row).execute();
        stored.push(event);
      }
      return stored;
    });
  }

  return {
    within,
    async find(id) {
      const row = await db.selectFrom('attack_events').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toAttackEvent(row) : null;
    },
    async detect(now) {
      const known = await within({ from: now - SAME_EVENT_WITHIN_MS, to: now + 1 });
      const detected = await findAttacks({ reader: engine.reader, rollups, known, now });
      return detected.length === 0 ? [] : await save(detected);
    },
    async deleteBefore(time) {
      const { numDeletedRows } = await transact((trx) =>
        trx.deleteFrom('attack_events').where('ended_at', '<', time).executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** The counts of an event never decrease, even when its decisions were deleted or are too many to be counted again. */
function goOn(event: AttackEvent, attack: DetectedAttack): AttackEvent {
  return {
    ...event,
    name: event.name ?? attack.name,
    attempts: Math.max(event.attempts, attack.attempts),
    mailboxes: Math.max(event.mailboxes, attack.mailboxes),
    stopped: attack.attempts >= event.attempts ? attack.stopped : event.stopped,
    beganAt: Math.min(event.beganAt, attack.beganAt),
    endedAt: Math.max(event.endedAt, attack.endedAt),
  };
}

type Row = Selectable<StorageSchema['attack_events']>;

function toRow({ beganAt, endedAt, ...same }: AttackEvent): Row {
  return { ...same, began_at: beganAt, ended_at: endedAt };
}

function toAttackEvent({ began_at: beganAt, ended_at: endedAt, ...same }: Row): AttackEvent {
  return { ...same, beganAt, endedAt };
}
