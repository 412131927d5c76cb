import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { INCIDENTS_LOCK } from '../locks.ts';
import type { StorageSchema } from '../storage-schema.ts';
import type { Condition, Incident, IncidentKind } from './incident.ts';

/** Events of the site besides attacks. Each is one incident, even when several processes see it. */
export interface IncidentStore {
  /** At most 200 incidents that overlap this time, the earliest first. `from` is included, `to` is not. */
  within(time: { readonly from: number; readonly to: number }): Promise<readonly Incident[]>;
  /** Null when the incident is unknown or deleted. */
  find(id: string): Promise<Incident | null>;
  /** Stores the present conditions. Each continues its incident or begins a new one. Returns the new incidents. */
  observe(now: number, conditions: readonly Condition[]): Promise<readonly Incident[]>;
  /** Removes incidents that were last seen before that time. Returns their number. */
  deleteBefore(time: number): Promise<number>;
}

const MAX_INCIDENTS = 200;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The interval at which a process writes the time of a lasting condition. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
/** A condition that comes back later is a new incident. A reported form is not reported again for a month. */
const SAME_WITHIN_MS: Readonly<Record<IncidentKind, number>> = {
  refusals_jump: 6 * HOUR_MS,
  degraded_jump: 6 * HOUR_MS,
  feeds_old: 24 * HOUR_MS,
  data_old: 7 * 24 * HOUR_MS,
  unjudged_signups: 30 * 24 * HOUR_MS,
};
/** The limit for one kind in a day, so a scanner that tries many paths cannot cause a flood of messages. */
const MAX_A_DAY = 5;

export function createIncidentStore({ db, transact, lock }: StorageEngine): IncidentStore {
  async function newestOf({ kind, key }: Condition, on = db): Promise<Incident | null> {
    const row = await on
      .selectFrom('incidents')
      .selectAll()
      .where('kind', '=', kind)
      .where('key', '=', key)
      .orderBy('seen_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? toIncident(row) : null;
  }

  function knows(incident: Incident | null, now: number): incident is Incident {
    return incident !== null && now - incident.seenAt <= SAME_WITHIN_MS[incident.kind];
  }

  return {
    async within({ from, to }) {
      const rows = await db
        .selectFrom('incidents')
        .selectAll()
        .where('seen_at', '>=', from)
        .where('began_at', '<', to)
        .orderBy('seen_at', 'desc')
        .limit(MAX_INCIDENTS)
        .execute();
      return rows.map(toIncident).sort((a, b) => a.beganAt - b.beganAt);
    },
    async find(id) {
      const row = await db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toIncident(row) : null;
    },
    async observe(now, conditions) {
      const news: Condition[] = [];
      for (const condition of conditions) {
        const known = await newestOf(condition);
        if (!knows(known, now) || now - known.seenAt >= SEEN_EVERY_MS) news.push(condition);
      }
      if (news.length === 0) return [];
      return await transact(async (trx) => {
        await lock(trx, [INCIDENTS_LOCK]);
        const begun: Incident[] = [];
        for (const condition of news) {
          // Another process may have stored it meanwhile.
          const known = await newestOf(condition, trx);
          const { kind, key } = condition;
          const facts = JSON.stringify(condition.facts);
          if (knows(known, now)) {
            const seenAt = Math.max(known.seenAt, now);
            await trx
              .updateTable('incidents')
              .set({ facts, seen_at: seenAt })
              .where('id', '=', known.id)
              .execute();
            continue;
          }
          const { count } = await trx
            .selectFrom('incidents')
            .select(({ fn }) => fn.countAll<number | string>().as('count'))
            .where('kind', '=', kind)
            .where('began_at', '>', now - 24 * HOUR_MS)
            .executeTakeFirstOrThrow();
          if (Number(count) >= MAX_A_DAY) continue;
          const incident = { id: randomUUID(), ...condition, beganAt: now, seenAt: now };
          await trx
            .insertInto('incidents')
            .values({ id: incident.id, kind, key, facts, began_at: now, seen_at: now })
            .execute();
          begun.push(incident);
        }
        return begun;
      });
    },
    async deleteBefore(time) {
      const { numDeletedRows } = await transact((trx) =>
        trx.deleteFrom('incidents').where('seen_at', '<', time).executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },
  };
}

function toIncident({ id, kind, key, facts, ...times }: Selectable<StorageSchema['incidents']>): Incident {
  return {
    id,
    kind: kind as IncidentKind,
    key,
    facts: JSON.parse(facts),
    beganAt: times.began_at,
    seenAt: times.seen_at,
  };
}
