import { forPostgres } from '../prepare-postgres.ts';
import { testIncidents } from './incidents.contract.ts';

forPostgres('incidents', testIncidents);
