import test from 'ava';
import { proveKills, SQLITE } from './kill.contract.ts';

test('what was acknowledged before a kill is kept, counted once and logged', async (t) => {
  t.timeout(300_000);
  await proveKills(t, { engine: SQLITE, rounds: 1, maxAcknowledged: 40 });
});
