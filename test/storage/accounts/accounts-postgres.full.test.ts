import { forPostgres } from '../prepare-postgres.ts';
import { testAccountLinks, testLinkUsedAtOnce } from './account-links.contract.ts';
import { testAccounts } from './accounts.contract.ts';
import { testSessions } from './sessions.contract.ts';

forPostgres('accounts', (engine, prepare) => {
  testAccounts(engine, prepare);
  testAccountLinks(engine, prepare);
  testSessions(engine, prepare);
  testLinkUsedAtOnce(engine, prepare, 2);
});
