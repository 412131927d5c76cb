import test from 'ava';
import { REDIS_PROGRAMS, startRedis } from '../../helpers/redis-server.ts';
import { attemptOf, observe, openNode, until } from '../../helpers/shared-counters.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
const BUSY_MS = 300;
const PATIENCE_MS = 60_000;

run('an answer that arrived while this process was busy for longer than the deadline counts', async (t) => {
  t.timeout(180_000);
  const server = await startRedis();
  t.teardown(() => server.stop());
  const node = await openNode(t, `redis://127.0.0.1:${server.port}`);
  let tries = 0;
  const isShared = async (isBusy: boolean) => {
    const counts = observe(node.counters, attemptOf(`mailbox ${tries++}`));
    for (const end = performance.now() + BUSY_MS; isBusy && performance.now() < end; );
    return (await counts).every(({ localBecause }) => localBecause === undefined);
  };
  // A busy machine may leave Redis without its turn for as long.
  const isSharedWhileBusy = async () => (await isShared(false)) && (await isShared(true));
  t.true(await until(isSharedWhileBusy, PATIENCE_MS));
});
