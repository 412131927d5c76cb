import test from 'ava';
import { KILL_ENGINES } from './engines.ts';
import { proveKills } from './kill.contract.ts';

/** Two of each kind of kill. The full count: GATEKEEPER_KILL_ROUNDS=200, as `npm run prove` sets it. */
const ROUNDS = Number(process.env.GATEKEEPER_KILL_ROUNDS ?? 6);
/** A start, its acts and its checks on a busy machine. */
const MAX_ROUND_MS = 30_000;

for (const engine of KILL_ENGINES) {
  const run = engine.missing === null ? test.serial : test.serial.skip;
  const without = engine.missing === null ? '' : `: ${engine.missing}`;
  run(
    `${ROUNDS} kills at any moment lose, double or bring back nothing on ${engine.name}${without}`,
    async (t) => {
      t.timeout(ROUNDS * MAX_ROUND_MS);
      await proveKills(t, { engine, rounds: ROUNDS, maxAcknowledged: 120 });
    },
  );
}
