import { forPostgres } from '../prepare-postgres.ts';
import { testKeys } from './keys.contract.ts';
import { testOwnKeys } from './own-keys.contract.ts';

forPostgres('keys', (engine, prepare) => {
  testKeys(engine, prepare);
  testOwnKeys(engine, prepare);
});
