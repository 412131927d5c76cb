import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';

/** The keys of the hourly mail budgets, besides the site as a whole. */
export interface BudgetKeys {
  readonly mailbox: string;
  readonly origin: string;
}

/** How many mails an hour. */
export interface MailBudgets {
  readonly mailbox: number;
  readonly origin: number;
  readonly site: number;
}

type Database = Kysely<StorageSchema>;

export const BUDGET_WINDOW_MS = 3_600_000;

/**
 * How long until one more mail is within every budget of any 60 minutes; 0: now. Counted in the database, so that a
 * restart or a second process grants no further mails.
 */
export async function retryAfterMs(
  db: Database,
  keys: BudgetKeys,
  budgets: MailBudgets,
  now: number,
): Promise<number> {
  const mails = db
    .selectFrom('verification_mails')
    .select('sent_at')
    .where('sent_at', '>', now - BUDGET_WINDOW_MS);
  const budgeted = [
    { limit: budgets.mailbox, sent: mails.where('mailbox', '=', keys.mailbox) },
    { limit: budgets.origin, sent: mails.where('origin', '=', keys.origin) },
    { limit: budgets.site, sent: mails },
  ];
  let waitMs = 0;
  for (const { limit, sent } of budgeted) {
    // Once this mail is an hour old, the budget allows another.
    const last = await sent
      .orderBy('sent_at', 'desc')
      .offset(limit - 1)
      .limit(1)
      .executeTakeFirst();
    if (last) waitMs = Math.max(waitMs, last.sent_at + BUDGET_WINDOW_MS - now);
  }
  return waitMs;
}

export async function countMail(db: Database, { mailbox, origin }: BudgetKeys, now: number): Promise<void> {
  await db.insertInto('verification_mails').values({ sent_at: now, mailbox, origin }).execute();
}
