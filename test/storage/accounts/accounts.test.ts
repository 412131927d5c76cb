import { prepareSqlite } from '../prepare-storage.ts';
import { testAccounts, testLinkUsedAtOnce } from './accounts.contract.ts';

testAccounts('SQLite', prepareSqlite);
testLinkUsedAtOnce('SQLite', prepareSqlite, 1);
