import test from 'ava';
import { startGatekeeper } from '../../src/gatekeeper/start-gatekeeper.ts';
import { openSqlite } from '../../src/storage/engine/open-sqlite.ts';
import { until } from '../helpers/until.ts';
import { start } from '../start-gatekeeper.ts';

test('a start begins again while another program holds the lock of the database', async (t) => {
  const { folder, config, gatekeeper, log, lines } = await start(t);
  await gatekeeper.stop();
  const other = openSqlite(`${folder}/gatekeeper.db`);
  other.exec('BEGIN IMMEDIATE');
  const starting = startGatekeeper({ config, log, clock: Date.now, makeFirstKey: false });
  // After five seconds, each step gives up.
  await until(() => lines.some((line) => line.includes('it begins again')));
  other.exec('ROLLBACK');
  other.close();
  const started = await starting;
  t.is((await fetch(`${started.apiUrl}/readyz`)).status, 200);
  await started.stop();
});
