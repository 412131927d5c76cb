import test from 'ava';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';
import { withDefaultTimes, withoutNetwork } from './records-faults.ts';
import { outliveRecordsOutage } from './records-outage.contract.ts';

const run = MISSING_POSTGRES === null ? test : test.skip;

run('two nodes keep forwarding, and store what they answered, while PostgreSQL is silent', async (t) => {
  t.timeout(300_000);
  const { direct } = await postgresDatabase(t);
  await outliveRecordsOutage(t, withoutNetwork('silent'), {
    ...{ url: withDefaultTimes(direct), nodes: 2, perSecond: 20 },
    ...{ calmMs: 1_000, outageMs: 5_000, recoveredWithinMs: 60_000 },
  });
});
