import test from 'ava';
import { connect, emptyCounters } from '../../helpers/redis-counters.ts';
import {
  MISSING_REDIS_PROGRAMS,
  REDIS_PROGRAMS,
  schemeOf,
  startRedisCluster,
} from '../../helpers/redis-server.ts';
import { testCounters } from '../counters.contract.ts';
import { testMinuteLimits } from '../minute-limits.contract.ts';
import { testProvisionalMembers } from '../provisional-members.contract.ts';

const clusters = await Promise.all(
  REDIS_PROGRAMS.map(async (program) => {
    const servers = await startRedisCluster(program);
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return { program, servers, connection: await connect(`${schemeOf(program)}+cluster://${hosts}`) };
  }),
);
for (const { program, servers, connection } of clusters) {
  test.after.always(async () => {
    connection.close();
    await Promise.all(servers.map((server) => server.stop()));
  });
  for (const contract of [testCounters, testProvisionalMembers, testMinuteLimits])
    contract(test, `${program} in a cluster`, async () => emptyCounters(connection));
}
for (const program of MISSING_REDIS_PROGRAMS)
  test.skip(`counters in a cluster: ${program} is missing here`, () => {});
