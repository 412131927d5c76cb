import { BOTH, forPostgres } from '../prepare-postgres.ts';
import { testRollups } from './rollups.contract.ts';

forPostgres('rollups', testRollups, BOTH);
