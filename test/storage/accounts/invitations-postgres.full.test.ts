import { forPostgres } from '../prepare-postgres.ts';
import { testInvitations } from './invitations.contract.ts';

forPostgres('invitations', testInvitations);
