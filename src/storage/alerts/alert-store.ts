import type { StorageEngine } from '../engine/engine.ts';
import { ALERTS_LOCK } from '../locks.ts';

/** One message about one attack or incident for one receiver. */
export interface DueAlert {
  readonly eventId: string;
  readonly receiver: string;
  /** Failed tries so far. */
  readonly tries: number;
}

/** The waiting and sent messages about attacks and incidents. */
export interface AlertStore {
  /** Adds the message, unless a waiting or sent message for that event and receiver exists. */
  plan(alerts: readonly Pick<DueAlert, 'eventId' | 'receiver'>[], at: number): Promise<void>;
  /**
   * A waiting message that is due. No other process gets it before the given time. Null when no message is due.
   * @param quiet The receivers that get no message now.
   */
  claim(now: number, leaseMs: number, quiet: readonly string[]): Promise<DueAlert | null>;
  /** Records the result: the message arrived, is tried again at a time, or is given up (null). */
  settle(alert: DueAlert, result: 'sent' | { readonly nextAt: number | null }): Promise<void>;
  /** Removes messages whose attack or incident was deleted. */
  deleteOrphans(): Promise<void>;
}

export function createAlertStore({ transact, lock }: StorageEngine): AlertStore {
  return {
    async plan(alerts, at) {
      if (alerts.length === 0) return;
      await transact((trx) =>
        trx
          .insertInto('alert_deliveries')
          .values(
            alerts.map(({ eventId, receiver }) => {
              return { event_id: eventId, receiver, state: 'waiting' as const, tries: 0, next_at: at };
            }),
          )
          .onConflict((conflict) => conflict.columns(['event_id', 'receiver']).doNothing())
          .execute(),
      );
    },
    claim: (now, leaseMs, quiet) =>
      transact(async (trx) => {
        await lock(trx, [ALERTS_LOCK]);
        const row = await trx
          .selectFrom('alert_deliveries')
          .selectAll()
          .where('state', '=', 'waiting')
          .where('next_at', '<=', now)
          .$if(quiet.length > 0, (query) => query.where('receiver', 'not in', quiet))
          .orderBy('next_at')
          .limit(1)
          .executeTakeFirst();
        if (!row) return null;
        await trx
          .updateTable('alert_deliveries')
          .set({ next_at: now + leaseMs })
          .where('event_id', '=', row.event_id)
          .where('receiver', '=', row.receiver)
          .execute();
        return { eventId: row.event_id, receiver: row.receiver, tries: row.tries };
      }),
    async settle({ eventId, receiver, tries }, result) {
      await transact((trx) =>
        trx
          .updateTable('alert_deliveries')
          .set(settled(tries, result))
          .where('event_id', '=', eventId)
          .where('receiver', '=', receiver)
          .execute(),
      );
    },
    async deleteOrphans() {
      await transact((trx) =>
        trx
          .deleteFrom('alert_deliveries')
          .where('event_id', 'not in', (query) => query.selectFrom('attack_events').select('id'))
          .where('event_id', 'not in', (query) => query.selectFrom('incidents').select('id'))
          .execute(),
      );
    },
  };
}

function settled(tries: number, result: Parameters<AlertStore['settle']>[1]) {
  if (result === 'sent') return { state: 'sent' } as const;
  const failed = { tries: tries + 1 };
  if (result.nextAt === null) return { ...failed, state: 'given_up' } as const;
  return { ...failed, state: 'waiting', next_at: result.nextAt } as const;
}
