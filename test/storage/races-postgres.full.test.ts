import { testHeldSignupRaces } from './held-signup-races.contract.ts';
import { BOTH, forPostgres } from './prepare-postgres.ts';
import { testRaces } from './races.contract.ts';

/** `npm run prove` runs 100. Fewer: GATEKEEPER_RACE_ROUNDS=3 npx ava test/storage/races-postgres.full.test.ts */
const ROUNDS = Number(process.env.GATEKEEPER_RACE_ROUNDS ?? 8);

forPostgres(
  'races between nodes',
  (engine, prepare) => {
    const rounds = engine === 'PostgreSQL' ? ROUNDS : Math.ceil(ROUNDS / 10);
    testHeldSignupRaces(engine, prepare, rounds);
    testRaces(engine, prepare, rounds);
  },
  BOTH,
);
