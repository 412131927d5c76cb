import { prepareSqlite } from '../prepare-storage.ts';
import { testLinkUsedAtOnce } from './accounts.contract.ts';

testLinkUsedAtOnce('SQLite, two processes', prepareSqlite, 2);
