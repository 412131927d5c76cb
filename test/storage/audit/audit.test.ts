import { prepareSqlite } from '../prepare-storage.ts';
import { testAudit } from './audit.contract.ts';

testAudit('SQLite', prepareSqlite);
