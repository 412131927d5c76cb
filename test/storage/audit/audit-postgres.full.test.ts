import { forPostgres } from '../prepare-postgres.ts';
import { testAudit } from './audit.contract.ts';

forPostgres('audit', testAudit);
