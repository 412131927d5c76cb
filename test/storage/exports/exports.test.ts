import { prepareSqlite } from '../prepare-storage.ts';
import { testExports } from './exports.contract.ts';

testExports('SQLite', prepareSqlite);
