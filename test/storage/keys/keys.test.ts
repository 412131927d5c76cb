import { prepareSqlite } from '../prepare-storage.ts';
import { testKeys } from './keys.contract.ts';

testKeys('SQLite', prepareSqlite);
