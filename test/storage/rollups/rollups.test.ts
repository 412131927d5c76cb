import { prepareSqlite } from '../prepare-storage.ts';
import { testRollupChanges } from './rollup-changes.contract.ts';
import { testRollups } from './rollups.contract.ts';

testRollups('SQLite', prepareSqlite);
testRollupChanges('SQLite', prepareSqlite);
