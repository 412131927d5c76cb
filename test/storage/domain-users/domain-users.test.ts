import { prepareSqlite } from '../prepare-storage.ts';
import { testDomainUsers } from './domain-users.contract.ts';

testDomainUsers('SQLite', prepareSqlite);
