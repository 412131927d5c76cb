import { forPostgres } from '../../prepare-postgres.ts';
import { testDecisionSearch } from './decision-search.contract.ts';

forPostgres('decision search', testDecisionSearch);
