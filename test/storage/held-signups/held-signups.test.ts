import { prepareSqlite } from '../prepare-storage.ts';
import { testHeldSignups } from './held-signups.contract.ts';

testHeldSignups('SQLite', prepareSqlite);
