import { sql } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { type DomainUserStore, MANY_USERS, MAX_USED_DOMAINS, MAX_USERS } from './domain-user-store.ts';

/** Rows deleted in one transaction. */
const STEP_ROWS = 500;

export function createDomainUserStore({ db, reader, transact }: StorageEngine): DomainUserStore {
  /** The time before which all but the newest `MAX_USERS` were noted; null when there are fewer. */
  async function timeOfSurplus(): Promise<number | null> {
    const row = await db
      .selectFrom('domain_users')
      .select('noted_at')
      .orderBy('noted_at', 'desc')
      .offset(MAX_USERS)
      .limit(1)
      .executeTakeFirst();
    return row?.noted_at ?? null;
  }

  async function deleteStep(before: number): Promise<number> {
    return transact(async (trx) => {
      const rows = await trx
        .selectFrom('domain_users')
        .select(['domain', 'mailbox'])
        .where('noted_at', '<', before)
        .limit(STEP_ROWS)
        .execute();
      for (const { domain, mailbox } of rows) {
        await trx
          .deleteFrom('domain_users')
          .where('domain', '=', domain)
          .where('mailbox', '=', mailbox)
          .execute();
      }
      return rows.length;
    });
  }

  return {
    async usedDomains() {
      // The reader of a new installation starts with the first page of the dashboard.
      const any = await db.selectFrom('domain_users').select('domain').limit(1).executeTakeFirst();
      if (!any) return [];
      const rows = await reader
        .selectFrom('domain_users')
        .select('domain')
        .groupBy('domain')
        .having(({ fn }) => fn.countAll(), '>=', MANY_USERS.people)
        .having(({ fn }) => fn.count('network').distinct(), '>=', MANY_USERS.networks)
        .having(sql`max(noted_at) - min(noted_at)`, '>=', MANY_USERS.spanMs)
        .orderBy('domain')
        .limit(MAX_USED_DOMAINS)
        .execute();
      return rows.map(({ domain }) => domain);
    },
    async deleteBefore(time) {
      const before = Math.max(time, (await timeOfSurplus()) ?? time);
      let deleted = 0;
      for (let step = STEP_ROWS; step === STEP_ROWS; deleted += step) step = await deleteStep(before);
      return deleted;
    },
  };
}
