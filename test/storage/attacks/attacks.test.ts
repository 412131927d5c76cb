import { prepareSqlite } from '../prepare-storage.ts';
import { testAttacks } from './attacks.contract.ts';

testAttacks('SQLite', prepareSqlite);
