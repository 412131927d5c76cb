import { prepareSqlite } from '../prepare-storage.ts';
import { testDecisions } from './decisions.contract.ts';

testDecisions('SQLite', prepareSqlite);
