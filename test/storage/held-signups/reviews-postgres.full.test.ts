import { forPostgres } from '../prepare-postgres.ts';
import { testReviews } from './reviews.contract.ts';

forPostgres('reviews', (engine, prepare) => {
  testReviews(engine, prepare);
});
