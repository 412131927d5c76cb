import test from 'ava';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { proveReloads } from './reload.contract.ts';

test('reloads of good and bad files under load fail no request and mix no two policies', async (t) => {
  t.timeout(300_000);
  await proveReloads(t, { reloads: 4, perSecond: 50, nodes: 1 });
});

const runWithRedis = REDIS_PROGRAMS.length === 0 ? test.skip : test;

runWithRedis('reloads with two workers fail no request and mix no two policies', async (t) => {
  t.timeout(300_000);
  await proveReloads(t, { reloads: 4, perSecond: 50, nodes: 1, workers: 2 });
});
