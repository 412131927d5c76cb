import { forPostgres } from './prepare-postgres.ts';
import { testStorage } from './storage.contract.ts';

forPostgres('storage', testStorage);
