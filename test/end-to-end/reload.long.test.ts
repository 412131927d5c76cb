import test from 'ava';
import { IS_FULL_PROOF } from '../helpers/full-proof.ts';
import { REDIS_PROGRAMS } from '../helpers/redis-server.ts';
import { proveReloads } from './reload.contract.ts';

/** Every kind of a bad file comes once in twelve. `npm run prove` sets GATEKEEPER_RELOADS=50. */
const RELOADS = Number(process.env.GATEKEEPER_RELOADS ?? 12);
const PER_SECOND = IS_FULL_PROOF ? 500 : 150;
/** What is promised; a busy machine gets more time. */
const WITHIN_MS = IS_FULL_PROOF ? 5_000 : 60_000;

for (const { nodes, workers } of [
  { nodes: 1, workers: 1 },
  { nodes: 2, workers: 1 },
  { nodes: 1, workers: 2 },
]) {
  const run = workers > 1 && REDIS_PROGRAMS.length === 0 ? test.skip : test.serial;
  run(
    `${RELOADS} reloads under ${PER_SECOND} requests a second on ${nodes} node(s) of ${workers} process(es) fail none, mix no two policies and take at most ${WITHIN_MS / 1_000} s each`,
    async (t) => {
      t.timeout(900_000);
      const tookMs = await proveReloads(t, { reloads: RELOADS, perSecond: PER_SECOND, nodes, workers });
      t.deepEqual(
        tookMs.filter((ms) => ms > WITHIN_MS),
        [],
      );
    },
  );
}
