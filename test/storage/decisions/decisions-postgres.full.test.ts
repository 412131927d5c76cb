import { forPostgres } from '../prepare-postgres.ts';
import { testDecisions } from './decisions.contract.ts';
import { testScoringLedger } from './scoring-ledger.contract.ts';

forPostgres('decisions', (engine, prepare) => {
  testScoringLedger(engine, prepare);
  testDecisions(engine, prepare);
});
