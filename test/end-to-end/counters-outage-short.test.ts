import test from 'ava';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { outliveOutage } from './counters-outage.contract.ts';

const run = REDIS_PROGRAMS.length === 0 ? test.skip : test;

run('three nodes lose no request while Redis is stopped for five seconds', async (t) => {
  t.timeout(300_000);
  await outliveOutage(t, 'stopped', {
    perSecond: 30,
    outageMs: 5_000,
    calmMs: 1_000,
    recoveredWithinMs: 60_000,
  });
});
