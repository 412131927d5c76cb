import { forPostgres } from '../prepare-postgres.ts';
import { testPasskeys } from './passkeys.contract.ts';

forPostgres('passkeys', testPasskeys);
