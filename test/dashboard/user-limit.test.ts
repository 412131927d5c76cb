import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { createPageTurns } from '../../src/dashboard/page-turns.ts';
import { createUserLimit } from '../../src/dashboard/user-limit.ts';

const REFUSAL = 'Too many.';

test('so many of one user begin at once, others wait in order, more are refused', async (t) => {
  const limit = createUserLimit({ atOnce: 2, maxWaiting: 2, refusal: REFUSAL });
  const begun: number[] = [];
  const leave: (() => void)[] = [];
  const enter = async (n: number) => {
    leave[n] = await limit.enter('ann');
    begun.push(n);
  };
  const entering = [0, 1, 2, 3].map(enter);
  await t.throwsAsync(limit.enter('ann'), { name: 'PageError', message: REFUSAL });
  await turn();
  t.deepEqual(begun, [0, 1]);
  leave[1]?.();
  leave[1]?.();
  await turn();
  t.deepEqual(begun, [0, 1, 2]);
  leave[0]?.();
  leave[2]?.();
  await Promise.all(entering);
  t.deepEqual(begun, [0, 1, 2, 3]);
  leave[3]?.();
  (await limit.enter('ann'))();
});

test('a user who waits does not stop others', async (t) => {
  const limit = createUserLimit({ atOnce: 1, maxWaiting: 0, refusal: REFUSAL });
  const leave = await limit.enter('ann');
  await t.throwsAsync(limit.enter('ann'), { name: 'PageError' });
  (await limit.enter('bob'))();
  leave();
  (await limit.enter('ann'))();
});

test('a page that fails gives its turn to the next one', async (t) => {
  const takeTurn = createPageTurns();
  const failing = Array.from({ length: 30 }, () =>
    takeTurn('ann', async () => {
      await turn();
      throw new Error('no page');
    }),
  );
  let pages = 0;
  const of = (user: string) => takeTurn(user, async () => void pages++);
  const fine = [of('ann'), of('bob')];
  for (const page of failing) await t.throwsAsync(page, { message: 'no page' });
  await Promise.all(fine);
  t.is(pages, 2);
});

test('pages of one user take two of six places', async (t) => {
  const takeTurn = createPageTurns();
  const running = new Map<string, number>();
  let most = 0;
  const page = (user: string) =>
    takeTurn(user, async () => {
      running.set(user, (running.get(user) ?? 0) + 1);
      const all = [...running.values()].reduce((sum, count) => sum + count, 0);
      most = Math.max(most, all);
      t.true((running.get(user) ?? 0) <= 2);
      await turn();
      running.set(user, (running.get(user) ?? 0) - 1);
    });
  const users = ['ann', 'bob', 'cem', 'dora', 'eve'];
  await Promise.all(users.flatMap((user) => Array.from({ length: 10 }, () => page(user))));
  t.is(most, 6);
});
