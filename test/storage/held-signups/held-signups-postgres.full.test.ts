import { forPostgres } from '../prepare-postgres.ts';
import { testConfirmations } from './confirmations.contract.ts';
import { testHeldMails } from './held-mails.contract.ts';
import { testHeldSignups } from './held-signups.contract.ts';
import { testReports } from './reports.contract.ts';
import { testRoomAndBudgets } from './room-and-budgets.contract.ts';

forPostgres('held signups', (engine, prepare) => {
  testHeldSignups(engine, prepare);
  testRoomAndBudgets(engine, prepare);
  testConfirmations(engine, prepare);
  testReports(engine, prepare);
  testHeldMails(engine, prepare);
  testRoomAndBudgets(`${engine}, two nodes`, prepare, 2);
  testConfirmations(`${engine}, two nodes`, prepare, 2);
  testReports(`${engine}, two nodes`, prepare, 2);
  testHeldMails(`${engine}, two nodes`, prepare, 2);
});
