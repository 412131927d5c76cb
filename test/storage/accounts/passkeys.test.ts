import { prepareSqlite } from '../prepare-storage.ts';
import { testPasskeys } from './passkeys.contract.ts';

testPasskeys('SQLite', prepareSqlite);
