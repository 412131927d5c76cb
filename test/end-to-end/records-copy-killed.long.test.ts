import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { gatekeeper, launchGatekeeper } from '../helpers/gatekeeper-process.ts';
import { connectPostgres, MISSING_POSTGRES } from '../helpers/postgres-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { filledRecords } from '../storage/copy/filled-records.ts';
import { postgresDatabase } from '../storage/prepare-postgres.ts';

const testPostgres = MISSING_POSTGRES === null ? test : test.skip;
if (MISSING_POSTGRES !== null) test.skip(`copies that are killed: ${MISSING_POSTGRES}`, () => {});

const DECISIONS = 10_000;
const MAX_KILLS = 200;

testPostgres('a copy that is killed again and again ends complete and equal', async (t) => {
  t.timeout(1_200_000);
  const from = await filledRecords(t, DECISIONS);
  const { direct: to } = await postgresDatabase(t, { isEmpty: true });
  const folder = temporaryFolder(t);
  const admin = await connectPostgres(to);
  t.teardown(() => admin.end());
  const copied = async () =>
    Number(
      (
        await admin
          .query('SELECT sum(copied) AS copied FROM records_copy')
          .catch(() => ({ rows: [{ copied: 0 }] }))
      ).rows[0].copied,
    );
  const args = ['records', 'copy', '--from', from, '--to', to];
  const file = `${folder}/nodes.yaml`;
  writeFileSync(file, `storage: {records: "${to}"}\nprivacy: {hash_secret: "${'h'.repeat(40)}"}\n`);
  let kills = 0;
  for (let before = 0; before < DECISIONS && kills < MAX_KILLS; before = await copied()) {
    const { process: child, ended } = launchGatekeeper(t, folder, args);
    // Killed after it wrote some more.
    while (child.exitCode === null && (await copied()) < before + DECISIONS / 10) await delay(10);
    child.kill('SIGKILL');
    if ((await ended) === null) kills += 1;
  }
  t.true(kills >= 5, `killed ${kills} times`);
  const refused = await gatekeeper(folder, 'keys', 'list', '--config', file);
  t.is(refused.code, 2);
  t.regex(
    refused.stderr,
    /holds an unfinished copy of records: run the same "gatekeeper records copy" again/,
  );
  const { code, stdout, stderr } = await gatekeeper(folder, ...args);
  t.is(code, 0, stderr);
  t.notRegex(stdout, /DIFFERENT/);
  t.regex(
    stdout,
    /is complete and equal to .*\nGive the nodes the secrets of the source: gatekeeper records secrets\n$/,
  );
  t.is((await gatekeeper(folder, 'keys', 'list', '--config', file)).code, 0);
  t.log(`${kills} kills`);
});
