import { testHostileText } from './hostile-text.contract.ts';
import { prepareSqlite } from './prepare-storage.ts';

testHostileText('SQLite', prepareSqlite);
