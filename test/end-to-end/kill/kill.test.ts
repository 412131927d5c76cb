import test from 'ava';
import { proveKills, SQLITE } from './kill.contract.ts';

/** The full count: GATEKEEPER_KILL_ROUNDS=200, as `npm run prove` sets it. */
const ROUNDS = Number(process.env.GATEKEEPER_KILL_ROUNDS ?? 10);
/** A start, its acts and its checks on a busy machine. */
const MAX_ROUND_MS = 30_000;

for (const engine of [SQLITE]) {
  test.serial(
    `${ROUNDS} kills at any moment lose, double or bring back nothing on ${engine.name}`,
    async (t) => {
      t.timeout(ROUNDS * MAX_ROUND_MS);
      await proveKills(t, { engine, rounds: ROUNDS, maxAcknowledged: 120 });
    },
  );
}
