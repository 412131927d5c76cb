import test from 'ava';
import { COPIED_TABLES } from '../../../src/storage/copy/copied-tables.ts';
import { openEngine } from '../../../src/storage/open-engine.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { testCopy } from './copy-records.contract.ts';
import { clock } from './filled-records.ts';

testCopy('SQLite', async (t) => `sqlite:${temporaryFolder(t)}/target.db`);

test('every table of SQLite is copied, but for its versions, its secret and the cursor of its rollups', async (t) => {
  const engine = await openEngine(`sqlite:${temporaryFolder(t)}/new.db`, clock);
  t.teardown(() => engine.close());
  const { rows } = await engine.fragments.tableNames.execute(engine.db);
  const others = ['schema_versions', 'rollup_cursor', 'fleet_secrets'];
  t.deepEqual(
    rows.map(({ name }) => name).sort(),
    [...COPIED_TABLES.map(({ name }): string => name), ...others].sort(),
  );
});
