import { forPostgres } from '../prepare-postgres.ts';
import { testHeldSignups } from './held-signups.contract.ts';

forPostgres('held signups', (engine, prepare) => {
  testHeldSignups(engine, prepare);
  testHeldSignups(`${engine}, two nodes`, prepare, 2);
});
