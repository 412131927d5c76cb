import { testHostileText } from './hostile-text.contract.ts';
import { forPostgres } from './prepare-postgres.ts';

forPostgres('text that PostgreSQL cannot store', testHostileText);
