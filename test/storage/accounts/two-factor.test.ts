import { prepareSqlite } from '../prepare-storage.ts';
import { testTwoFactor } from './two-factor.contract.ts';

testTwoFactor('SQLite', prepareSqlite);
