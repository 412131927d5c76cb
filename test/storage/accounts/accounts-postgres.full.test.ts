import { forPostgres } from '../prepare-postgres.ts';
import { testAccounts, testLinkUsedAtOnce } from './accounts.contract.ts';

forPostgres('accounts', (engine, prepare) => {
  testAccounts(engine, prepare);
  testLinkUsedAtOnce(engine, prepare, 2);
});
