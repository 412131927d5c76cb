import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { until } from '../helpers/shared-counters.ts';
import { isAlive, startWorkerProcesses } from '../helpers/worker-processes.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
const SIGNUPS = 8;

run(
  'a worker that stands still is replaced, and every connection that waits for it is answered',
  async (t) => {
    t.timeout(180_000);
    const workers = await startWorkerProcesses(t, { more: 'log: {level: info}\n' });
    const [still = 0, other = 0] = workers.pids();
    // Long enough to show that a worker with nothing to do is left alone.
    await wait(5_000);
    process.kill(still, 'SIGSTOP');
    const answers = await Promise.all(
      Array.from({ length: SIGNUPS }, (_, i) => workers.score(`anna.roe${i}@gmail.com`)),
    );
    t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    t.true(await until(() => !isAlive(still), 60_000));
    await workers.running.said('a worker has not answered for 15 seconds and is ended');
    await workers.running.said('a new worker serves requests');
    t.true(isAlive(other));
    t.is(workers.pids().length, 2);
    t.log(
      `the last answer came after ${Math.round(Math.max(...answers.map(({ sentAt, endedAt }) => endedAt - sentAt)))} ms`,
    );
  },
);
