import test from 'ava';
import { ClosedError, createRunningWork } from '../../src/library/running-work.ts';

test('the end waits for what is running, and refuses what comes later', async (t) => {
  const running = createRunningWork();
  t.is(await running.run(async () => 7), 7);
  const gates: (() => void)[] = [];
  const order: string[] = [];
  const works = ['one', 'two'].map((name) =>
    running.run(async () => {
      await new Promise<void>((resolve) => gates.push(resolve));
      order.push(name);
    }),
  );
  const ended = running.end(600_000).then(() => order.push('end'));
  await t.throwsAsync(
    running.run(async () => t.fail('it must not run')),
    { instanceOf: ClosedError },
  );
  for (const open of gates) open();
  await Promise.all([...works, ended]);
  t.deepEqual(order, ['one', 'two', 'end']);
});

test('work that fails has ended too', async (t) => {
  const running = createRunningWork();
  await t.throwsAsync(
    running.run(() => Promise.reject(new Error('late'))),
    { message: 'late' },
  );
  await running.end(600_000);
  t.pass();
});

test('the end waits no longer than its limit', async (t) => {
  const running = createRunningWork();
  void running.run(() => new Promise(() => {}));
  await running.end(1);
  t.pass();
});
