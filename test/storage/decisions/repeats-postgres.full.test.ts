import { forPostgres } from '../prepare-postgres.ts';
import { testRepeats } from './repeats.contract.ts';

forPostgres('repeats', testRepeats);
