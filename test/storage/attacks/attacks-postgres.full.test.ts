import { forPostgres } from '../prepare-postgres.ts';
import { testAttacks } from './attacks.contract.ts';

forPostgres('attacks', testAttacks);
