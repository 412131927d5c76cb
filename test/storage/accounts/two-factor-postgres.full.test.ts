import { forPostgres } from '../prepare-postgres.ts';
import { testTwoFactor } from './two-factor.contract.ts';

forPostgres('two_factor', testTwoFactor);
