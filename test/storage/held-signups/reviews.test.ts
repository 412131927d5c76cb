import { prepareSqlite } from '../prepare-storage.ts';
import { testReviews } from './reviews.contract.ts';

testReviews('SQLite', prepareSqlite);
