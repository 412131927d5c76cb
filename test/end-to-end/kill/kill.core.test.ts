import test from 'ava';
import { KILL_ENGINES } from './engines.ts';
import { proveKills } from './kill.contract.ts';

for (const engine of KILL_ENGINES) {
  const run = engine.missing === null ? test.serial : test.serial.skip;
  const without = engine.missing === null ? '' : `: ${engine.missing}`;
  run(
    `what was acknowledged before a kill on ${engine.name} is kept, counted once and logged${without}`,
    async (t) => {
      t.timeout(300_000);
      await proveKills(t, { engine, rounds: 1, maxAcknowledged: 40 });
    },
  );
}
