import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openFaultProxy } from '../helpers/fault-proxy.ts';
import { launchGatekeeper } from '../helpers/gatekeeper-process.ts';
import { MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const run = MISSING_POSTGRES === null ? test.serial : test.serial.skip;
/** Bytes of the answers of PostgreSQL until a connection is cut: from its login to the last part that is opened. */
const CUTS = [2_000, 5_000, 8_000];

run('a start whose connection is cut at any moment begins again, and serves', async (t) => {
  t.timeout(600_000);
  const { direct } = await postgresDatabase(t, { isEmpty: true });
  const proxy = await openFaultProxy(Number(new URL(direct).port));
  t.teardown(() => proxy.close());
  const records = new URL(direct);
  records.port = String(proxy.port);
  const folder = temporaryFolder(t);
  const config = {
    ...{ api: { listen: '127.0.0.1:0' }, dashboard: { listen: '127.0.0.1:0' } },
    ...{ storage: { records: records.href }, privacy: { hash_secret: 'h'.repeat(40) } },
  };
  writeFileSync(join(folder, 'gatekeeper.yaml'), JSON.stringify(config));
  let repeated = 0;
  for (const bytes of [null, ...CUTS]) {
    if (bytes !== null) proxy.cutAfter(bytes, 'answers');
    const launched = launchGatekeeper(t, folder, ['serve']);
    await launched.said('The dashboard is at ');
    t.is(await launched.end('SIGTERM'), 0, `${bytes} bytes`);
    if (/begins again|the start waits/.test(launched.output())) repeated++;
  }
  t.log(`${repeated} of ${CUTS.length} starts began again`);
  t.true(repeated > 0);
});
