import { forPostgres } from '../prepare-postgres.ts';
import { testKeys } from './keys.contract.ts';

forPostgres('keys', testKeys);
