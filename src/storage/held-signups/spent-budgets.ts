import { LRUCache } from 'lru-cache';
import type { BudgetKeys, BudgetWaits, MailBudgets } from './mail-budgets.ts';

/** Mail budgets that the database has just called used up. */
export interface SpentBudgets {
  /** The time until one more mail, in milliseconds; 0 when only the database can tell. */
  waitMs(keys: BudgetKeys, budgets: MailBudgets, now: number): number;
  remember(keys: BudgetKeys, waits: BudgetWaits, now: number): void;
}

interface Spent {
  readonly until: number;
  readonly notedAt: number;
}

/** A flood from more addresses than this costs a query each, until the budget of the site is used up. */
const MAX_SPENT = 10_000;
/** Then the database is asked again: budgets become free early when a person is erased. */
const TRUSTED_MS = 1_000;

/**
 * Remembers for a second which budgets are used up. Without it, a flood of signups over a budget asks the database for each
 * of them, which takes longer than all of judging.
 */
export function createSpentBudgets(): SpentBudgets {
  const spent = new LRUCache<string, Spent>({ max: MAX_SPENT });
  let known: MailBudgets | null = null;

  function untilOf(name: string, now: number): number {
    const found = spent.get(name);
    // The clock may have been set back.
    const isTrusted = found && now >= found.notedAt && now - found.notedAt < TRUSTED_MS;
    return isTrusted ? found.until : now;
  }

  return {
    waitMs(keys, budgets, now) {
      if (known && !isSame(known, budgets)) spent.clear();
      known = budgets;
      const untils = namesOf(keys).map(([, name]) => untilOf(name, now));
      return Math.max(0, ...untils.map((until) => until - now));
    },
    remember(keys, waits, now) {
      for (const [budget, name] of namesOf(keys)) {
        if (waits[budget] > 0) spent.set(name, { until: now + waits[budget], notedAt: now });
      }
    },
  };
}

function namesOf({ mailbox, origin }: BudgetKeys): readonly (readonly [keyof BudgetWaits, string])[] {
  return [
    ['site', 'site'],
    ['origin', `origin ${origin}`],
    ['mailbox', `mailbox ${mailbox}`],
  ];
}

/** After a reload, other budgets apply. */
function isSame(one: MailBudgets, other: MailBudgets): boolean {
  return one.mailbox === other.mailbox && one.origin === other.origin && one.site === other.site;
}
