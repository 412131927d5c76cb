import { prepareSqlite } from '../../helpers/sqlite-records.ts';
import { testHeldSignups } from './held-signups.contract.ts';

testHeldSignups('SQLite', prepareSqlite);
