import { forPostgres } from '../prepare-postgres.ts';
import { testLists } from './lists.contract.ts';

forPostgres('lists', testLists);
