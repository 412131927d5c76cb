import { forPostgres } from '../../prepare-postgres.ts';
import { testDecisionScans } from './decision-scans.contract.ts';
import { testDecisionSearch } from './decision-search.contract.ts';

forPostgres('decision search', (engine, prepare) => {
  testDecisionSearch(engine, prepare);
  testDecisionScans(engine, prepare);
});
