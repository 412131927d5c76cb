import { prepareSqlite } from '../prepare-storage.ts';
import { testLinkUsedAtOnce } from './account-links.contract.ts';

testLinkUsedAtOnce('SQLite, two processes', prepareSqlite, 2);
