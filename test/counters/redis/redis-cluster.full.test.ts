import test from 'ava';
import { connect, emptyCounters } from '../../helpers/redis-counters.ts';
import { REDIS_PROGRAMS, startRedisCluster } from '../../helpers/redis-server.ts';
import { testCounters } from '../counters.contract.ts';

for (const program of REDIS_PROGRAMS) {
  const servers = await startRedisCluster(program);
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const connection = await connect(`redis+cluster://${hosts}`);
  test.after.always(async () => {
    connection.close();
    await Promise.all(servers.map((server) => server.stop()));
  });
  testCounters(test, `${program} in a cluster`, async () => emptyCounters(connection));
}
if (REDIS_PROGRAMS.length === 0)
  test.skip('counters in a Redis cluster: redis-server is missing here', () => {});
