import { prepareSqlite } from '../prepare-storage.ts';
import { testDecisions } from './decisions.contract.ts';
import { testScoringLedger } from './scoring-ledger.contract.ts';

testScoringLedger('SQLite', prepareSqlite);
testDecisions('SQLite', prepareSqlite);
