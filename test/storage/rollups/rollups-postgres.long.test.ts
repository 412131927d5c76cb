import { BOTH, forPostgres } from '../prepare-postgres.ts';
import { testRollupChanges } from './rollup-changes.contract.ts';
import { testRollups } from './rollups.contract.ts';

forPostgres(
  'rollups',
  (engine, prepare) => {
    testRollups(engine, prepare);
    testRollupChanges(engine, prepare);
  },
  BOTH,
);
