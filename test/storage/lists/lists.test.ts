import { prepareSqlite } from '../prepare-storage.ts';
import { testLists } from './lists.contract.ts';

testLists('SQLite', prepareSqlite);
