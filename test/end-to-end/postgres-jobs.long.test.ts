import test from 'ava';
import { startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`background jobs of nodes: ${MISSING_POSTGRES}`, () => {});

const RUNS = 'this node runs these background jobs now';
const configOf = (records: string) => `api: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
storage: {records: "${records}"}
privacy: {hash_secret: "${'h'.repeat(40)}"}
`;

testPostgres(
  'one node runs the background jobs, and another one after it is killed or stopped',
  async (t) => {
    t.timeout(300_000);
    const { direct } = await postgresDatabase(t, { isEmpty: true });
    const start = () => startGatekeeperProcess(t, temporaryFolder(t), configOf(direct));
    const first = await start();
    await first.said(RUNS);
    const second = await start();
    await second.said('API key exists yet');
    t.false(second.output().includes(RUNS));
    await first.end('SIGKILL');
    await second.said(RUNS);
    const third = await start();
    await third.said('API key exists yet');
    t.false(third.output().includes(RUNS));
    t.is(await second.end('SIGTERM'), 0);
    await third.said(RUNS);
    t.is(await third.end('SIGTERM'), 0);
  },
);
