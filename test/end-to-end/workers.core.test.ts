import test from 'ava';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { proveExactQuota, proveKills, proveOneAnswer } from './workers.contract.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;

run('two workers grant a quota exactly', async (t) => {
  t.timeout(300_000);
  await proveExactQuota(t, { quota: 100, concurrency: 50 });
});

run('two workers give one answer to one idempotency key', async (t) => {
  t.timeout(300_000);
  await proveOneAnswer(t, 60);
});

run(
  'a killed worker fails only its own requests, no counter decreases, and the end loses none',
  async (t) => {
    t.timeout(300_000);
    await proveKills(t, { perSecond: 50, kills: 1, scrapes: 10 });
  },
);
