import test from 'ava';
import { connect, emptyCounters } from '../../helpers/redis-counters.ts';
import { REDIS_PROGRAMS, startRedis } from '../../helpers/redis-server.ts';
import { testCounters } from '../counters.contract.ts';

for (const program of REDIS_PROGRAMS) {
  const server = await startRedis([], { program });
  const connection = await connect(`redis://127.0.0.1:${server.port}`);
  test.after.always(async () => {
    connection.close();
    await server.stop();
  });
  testCounters(test, program, async () => emptyCounters(connection));
}
if (REDIS_PROGRAMS.length === 0) test.skip('counters in Redis: redis-server is missing here', () => {});
