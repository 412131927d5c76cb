import test from 'ava';
import { REDIS_PROGRAMS } from '../../helpers/redis-server.ts';
import { testFaults } from './faults.contract.ts';

if (REDIS_PROGRAMS.length > 0)
  testFaults(test, { watchedMs: 200, answeredWithinMs: null, recoveredWithinMs: 60_000 });
else test.skip('faults of Redis: redis-server is missing here', () => {});
