import { prepareSqlite } from '../prepare-storage.ts';
import { testHeldSignups } from './held-signups.contract.ts';

testHeldSignups('SQLite, two processes', prepareSqlite, 2);
