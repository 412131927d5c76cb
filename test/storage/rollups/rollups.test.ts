import { prepareSqlite } from '../prepare-storage.ts';
import { testRollups } from './rollups.contract.ts';

testRollups('SQLite', prepareSqlite);
