import test from 'ava';
import { createOpened } from '../src/opened.ts';

test('doors are closed at once and before what they stand on, and that newest first', async (t) => {
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
