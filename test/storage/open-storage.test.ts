import { prepareSqlite } from './prepare-storage.ts';
import { testStorage } from './storage.contract.ts';

testStorage('SQLite', prepareSqlite);
