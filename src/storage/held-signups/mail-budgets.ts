import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';

/** The keys of the hourly mail budgets, besides the site as a whole. */
export interface BudgetKeys {
  readonly mailbox: string;
  readonly origin: string;
}

/** The numbers of mails for each hour. */
export interface MailBudgets {
  readonly mailbox: number;
  readonly origin: number;
  readonly site: number;
}

type Database = Kysely<StorageSchema>;

export const BUDGET_WINDOW_MS = 3_600_000;

/**
 * The time until one more mail is within every budget of any 60 minutes; 0 means now. The mails are counted in the
 * database, so a restart or a second process gives no further mails.
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
    .where('sent_at', '>', now - BUDGET_WINDOW_MS)
    .orderBy('sent_at', 'desc')
    .limit(1);
  // For each budget, the mail that must be an hour old before another may be sent.
  const lasts = await db
    .selectNoFrom([
      mails
        .where('mailbox', '=', keys.mailbox)
        .offset(budgets.mailbox - 1)
        .as('mailbox'),
      mails
        .where('origin', '=', keys.origin)
        .offset(budgets.origin - 1)
        .as('origin'),
      mails.offset(budgets.site - 1).as('site'),
    ])
    .executeTakeFirstOrThrow();
  return Object.values(lasts).reduce<number>(
    (waitMs, sentAt) => (sentAt === null ? waitMs : Math.max(waitMs, sentAt + BUDGET_WINDOW_MS - now)),
    0,
  );
}

export async function countMail(db: Database, { mailbox, origin }: BudgetKeys, now: number): Promise<void> {
  await db.insertInto('verification_mails').values({ sent_at: now, mailbox, origin }).execute();
}
