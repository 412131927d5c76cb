import { forPostgres } from '../prepare-postgres.ts';
import { testDomainUsers } from './domain-users.contract.ts';

forPostgres('domain users', testDomainUsers);
