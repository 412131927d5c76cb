import test from 'ava';
import { createOpened } from '../src/opened.ts';

test('doors are closed at once and before the parts they use, and those newest first', async (t) => {
  const opened = createOpened();
  const order: string[] = [];
  const closable = (name: string) => ({
    async close() {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    },
  });
  const records = closable('records');
  t.is(opened.keep(records), records);
  opened.keepDoor(closable('api'));
  opened.keep(closable('lists'));
  opened.keepDoor(closable('gate'));
  await opened.close();
  t.deepEqual(order, [
    ...['api begins', 'gate begins', 'api ends', 'gate ends'],
    ...['lists begins', 'lists ends', 'records begins', 'records ends'],
  ]);
});

test('doors and resources receive the rest of the time', async (t) => {
  const opened = createOpened();
  const told: Record<string, number | undefined> = {};
  const closable = (name: string) => ({
    close(withinMs?: number) {
      told[name] = withinMs;
    },
  });
  opened.keep(closable('records'));
  opened.keepDoor(closable('gate'));
  await opened.close();
  t.deepEqual(told, { gate: undefined, records: undefined });
  await opened.close(1_000_000);
  const { gate = 0, records = 0 } = told;
  t.true(gate > 700_000 && gate <= 750_000);
  t.true(records > 800_000 && records <= 850_000);
  await opened.close(0);
  t.deepEqual(told, { gate: 0, records: 0 });
});
