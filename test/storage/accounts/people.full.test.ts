import { prepareSqlite } from '../../helpers/sqlite-records.ts';
import { testLinkUsedAtOnce } from './people.contract.ts';

testLinkUsedAtOnce('SQLite, two processes', prepareSqlite, 2);
