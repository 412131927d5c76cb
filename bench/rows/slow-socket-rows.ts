import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildServer } from '../child-server.ts';
import type { Run } from '../load-generator.ts';
import { format } from '../report.ts';
import { GET_SMALL } from '../requests.ts';
import { medianOf, type Row } from '../row.ts';
import { openSlowSockets } from '../slow-sockets.ts';

const SLOW_SOCKETS = 2_000;
/** With more connections the clients would wait for each other and measure the queue. */
const CONNECTIONS = 4;
/**
 * Three thousand requests take half a second: two pauses of the machine decide about their p99, and between two equal
 * runs it changed by a factor of four.
 */
const MIN_REQUESTS = 20_000;
/** Time for the sockets to open, and for the server to end those that it does not accept. */
const SETTLE_MS = 1_000;

/** The slowest honest requests while thousands of slow sockets are open, as a multiple of the time without. */
export async function besideSlowSockets(gatekeeper: ChildServer, run: Run): Promise<Row> {
  const load = { requests: [GET_SMALL], connections: CONNECTIONS, port: gatekeeper.port };
  const count = Math.max(MIN_REQUESTS, Math.ceil(run.count / 2));
  const p99 = { without: [] as number[], beside: [] as number[] };
  await run.generator.run({ ...load, count });
  for (let round = 0; round < run.rounds; round++) {
    p99.without.push((await run.generator.run({ ...load, count })).p99Ms);
    const slow = await openSlowSockets(gatekeeper.port, SLOW_SOCKETS);
    try {
      await sleep(SETTLE_MS);
      p99.beside.push((await run.generator.run({ ...load, count })).p99Ms);
    } finally {
      slow.close();
    }
    await sleep(SETTLE_MS);
  }
  const [without, beside] = [p99.without, p99.beside].map((values) => format(medianOf(values)));
  return {
    name: `honest p99 beside ${SLOW_SOCKETS} slow sockets, against without`,
    unit: '×',
    target: { bound: 'at_most', must: 2, aim: 1.2 },
    values: p99.beside.map((value, round) => value / (p99.without[round] ?? value)),
    note: `${beside} ms, without ${without} ms`,
  };
}
