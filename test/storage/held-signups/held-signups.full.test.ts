import { prepareSqlite } from '../prepare-storage.ts';
import { testConfirmations } from './confirmations.contract.ts';
import { testHeldMails } from './held-mails.contract.ts';
import { testReports } from './reports.contract.ts';
import { testRoomAndBudgets } from './room-and-budgets.contract.ts';

testRoomAndBudgets('SQLite, two processes', prepareSqlite, 2);
testConfirmations('SQLite, two processes', prepareSqlite, 2);
testReports('SQLite, two processes', prepareSqlite, 2);
testHeldMails('SQLite, two processes', prepareSqlite, 2);
