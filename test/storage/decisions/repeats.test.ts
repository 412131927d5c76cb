import { prepareSqlite } from '../prepare-storage.ts';
import { testRepeats } from './repeats.contract.ts';

testRepeats('SQLite', prepareSqlite);
