import test from 'ava';
import type { MailBudgets } from '../../../src/storage/held-signups/mail-budgets.ts';
import { createSpentBudgets } from '../../../src/storage/held-signups/spent-budgets.ts';

const NOW = 1_800_000_000_000;
const BUDGETS: MailBudgets = { mailbox: 5, origin: 20, site: 1_000 };
const JANE = { mailbox: 'jane', origin: 'home' };
const FREE = { mailbox: 0, origin: 0, site: 0 };

test('a used-up budget is known for a second, to all that share it, and the wait gets shorter', (t) => {
  const spent = createSpentBudgets();
  t.is(spent.waitMs(JANE, BUDGETS, NOW), 0);
  spent.remember(JANE, { mailbox: 0, origin: 5_000, site: 0 }, NOW);
  t.is(spent.waitMs(JANE, BUDGETS, NOW), 5_000);
  t.is(spent.waitMs({ mailbox: 'joe', origin: 'home' }, BUDGETS, NOW + 999), 4_001);
  t.is(spent.waitMs({ mailbox: 'jane', origin: 'office' }, BUDGETS, NOW), 0);
  t.is(spent.waitMs(JANE, BUDGETS, NOW + 1_000), 0, 'asked again');
});

test('a mailbox and an address with the same name are two budgets', (t) => {
  const spent = createSpentBudgets();
  spent.remember({ mailbox: 'same', origin: 'a' }, { ...FREE, mailbox: 5_000 }, NOW);
  t.is(spent.waitMs({ mailbox: 'b', origin: 'same' }, BUDGETS, NOW), 0);
  t.is(spent.waitMs({ mailbox: 'same', origin: 'b' }, BUDGETS, NOW), 5_000);
});

test('the budget of the site is the same for everybody, and the longest wait counts', (t) => {
  const spent = createSpentBudgets();
  spent.remember(JANE, { mailbox: 9_000, origin: 0, site: 4_000 }, NOW);
  t.is(spent.waitMs({ mailbox: 'joe', origin: 'office' }, BUDGETS, NOW), 4_000);
  t.is(spent.waitMs(JANE, BUDGETS, NOW), 9_000);
});

test('a budget that is free again is not waited for', (t) => {
  const spent = createSpentBudgets();
  spent.remember(JANE, { ...FREE, origin: 300 }, NOW);
  t.is(spent.waitMs(JANE, BUDGETS, NOW + 300), 0);
  spent.remember(JANE, FREE, NOW);
  t.is(spent.waitMs({ mailbox: 'joe', origin: 'office' }, BUDGETS, NOW), 0);
});

test('other budgets after a reload, and a clock that was set back, forget everything', (t) => {
  const spent = createSpentBudgets();
  spent.waitMs(JANE, BUDGETS, NOW);
  spent.remember(JANE, { ...FREE, site: 5_000 }, NOW);
  t.is(spent.waitMs(JANE, BUDGETS, NOW - 1), 0);
  t.is(spent.waitMs(JANE, { ...BUDGETS, site: 2_000 }, NOW), 0);
  t.is(spent.waitMs(JANE, BUDGETS, NOW), 0);
});
