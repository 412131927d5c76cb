import { prepareSqlite } from '../prepare-storage.ts';
import { testConfirmations } from './confirmations.contract.ts';
import { testHeldMails } from './held-mails.contract.ts';
import { testHeldSignups } from './held-signups.contract.ts';
import { testReports } from './reports.contract.ts';
import { testRoomAndBudgets } from './room-and-budgets.contract.ts';

testHeldSignups('SQLite', prepareSqlite);
testRoomAndBudgets('SQLite', prepareSqlite);
testConfirmations('SQLite', prepareSqlite);
testReports('SQLite', prepareSqlite);
testHeldMails('SQLite', prepareSqlite);
