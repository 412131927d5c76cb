import { prepareSqlite } from '../../helpers/sqlite-records.ts';
import { testLinkUsedAtOnce, testPeople } from './people.contract.ts';

testPeople('SQLite', prepareSqlite);
testLinkUsedAtOnce('SQLite', prepareSqlite, 1);
