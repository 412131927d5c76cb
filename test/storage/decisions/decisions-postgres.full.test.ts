import { forPostgres } from '../prepare-postgres.ts';
import { testDecisions } from './decisions.contract.ts';

forPostgres('decisions', testDecisions);
