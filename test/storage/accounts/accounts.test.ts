import { prepareSqlite } from '../prepare-storage.ts';
import { testAccounts } from './accounts.contract.ts';

testAccounts('SQLite', prepareSqlite);
