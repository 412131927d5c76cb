import { prepareSqlite } from '../prepare-storage.ts';
import { testIncidents } from './incidents.contract.ts';

testIncidents('SQLite', prepareSqlite);
