import test from 'ava';
import { connect, emptyCounters } from '../../helpers/redis-counters.ts';
import { MISSING_REDIS_PROGRAMS, REDIS_PROGRAMS, schemeOf, startRedis } from '../../helpers/redis-server.ts';
import { testCounters } from '../counters.contract.ts';
import { testMinuteLimits } from '../minute-limits.contract.ts';
import { testProvisionalMembers } from '../provisional-members.contract.ts';

const engines = await Promise.all(
  REDIS_PROGRAMS.map(async (program) => {
    const server = await startRedis([], { program });
    return { program, server, connection: await connect(`${schemeOf(program)}://127.0.0.1:${server.port}`) };
  }),
);
for (const { program, server, connection } of engines) {
  test.after.always(async () => {
    connection.close();
    await server.stop();
  });
  for (const contract of [testCounters, testProvisionalMembers, testMinuteLimits])
    contract(test, program, async () => emptyCounters(connection));
}
for (const program of MISSING_REDIS_PROGRAMS)
  test.skip(`counters in Redis or Valkey: ${program} is missing here`, () => {});
