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

/** For each budget, the time until one more mail in milliseconds; 0 means now. */
export type BudgetWaits = Readonly<Record<keyof MailBudgets, number>>;

type Database = Kysely<StorageSchema>;

export const BUDGET_WINDOW_MS = 3_600_000;

/**
 * The times until one more mail is within each budget of any 60 minutes. The mails are counted in the database, so a restart
 * or a second process gives no further mails.
 */
export async function budgetWaits(
  db: Database,
  keys: BudgetKeys,
  budgets: MailBudgets,
  now: number,
): Promise<BudgetWaits> {
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
  const waitMs = (sentAt: number | null) =>
    sentAt === null ? 0 : Math.max(0, sentAt + BUDGET_WINDOW_MS - now);
  return { mailbox: waitMs(lasts.mailbox), origin: waitMs(lasts.origin), site: waitMs(lasts.site) };
}

/** The time until one more mail is within all budgets. */
export function longestWaitMs({ mailbox, origin, site }: BudgetWaits): number {
  return Math.max(mailbox, origin, site);
}

export async function countMail(db: Database, { mailbox, origin }: BudgetKeys, now: number): Promise<void> {
  await db.insertInto('verification_mails').values({ sent_at: now, mailbox, origin }).execute();
}

/** Removes one mail that was counted at this time. */
export async function uncountMail(
  db: Database,
  { mailbox, origin }: BudgetKeys,
  sentAt: number,
): Promise<void> {
  const one = db
    .selectFrom('verification_mails')
    .select('id')
    .where('sent_at', '=', sentAt)
    .where('mailbox', '=', mailbox)
    .where('origin', '=', origin)
    .limit(1);
  await db.deleteFrom('verification_mails').where('id', 'in', one).execute();
}
