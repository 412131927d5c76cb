import { prepareSqlite } from '../prepare-storage.ts';
import { testKeys } from './keys.contract.ts';
import { testOwnKeys } from './own-keys.contract.ts';

testKeys('SQLite', prepareSqlite);
testOwnKeys('SQLite', prepareSqlite);
