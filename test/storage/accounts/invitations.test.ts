import { prepareSqlite } from '../prepare-storage.ts';
import { testInvitations } from './invitations.contract.ts';

testInvitations('SQLite', prepareSqlite);
