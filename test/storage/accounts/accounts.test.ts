import { prepareSqlite } from '../prepare-storage.ts';
import { testAccountLinks, testLinkUsedAtOnce } from './account-links.contract.ts';
import { testAccounts } from './accounts.contract.ts';
import { testSessions } from './sessions.contract.ts';

testAccounts('SQLite', prepareSqlite);
testAccountLinks('SQLite', prepareSqlite);
testSessions('SQLite', prepareSqlite);
testLinkUsedAtOnce('SQLite', prepareSqlite, 1);
