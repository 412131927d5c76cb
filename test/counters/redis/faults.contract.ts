import type { ExecutionContext } from 'ava';
import { REDIS_FAULTS } from '../../helpers/redis-faults.ts';
import { pause } from '../../helpers/redis-server.ts';
import { attemptOf, observe, openNode, type SharedNode, until } from '../../helpers/shared-counters.ts';

export interface FaultBounds {
  /** How long the node is watched while the fault lasts. */
  readonly watchedMs: number;
  /** Of each answer meanwhile; null: the machine is too busy to say. */
  readonly answeredWithinMs: number | null;
  /** From the end of the fault until counts are shared again. */
  readonly recoveredWithinMs: number;
}

/** `test`, or `test.serial`. */
type Register = (title: string, run: (t: ExecutionContext) => Promise<void>) => void;

/** Every fault of the table: local counts at once, one line in the log, and recovery without a restart. */
export function testFaults(test: Register, bounds: FaultBounds): void {
  for (const { name, causes, prepare } of REDIS_FAULTS) {
    test(`counters are local while a server ${name}, and shared again afterwards`, async (t) => {
      const { url, begin, end } = await prepare(t);
      const node = await openNode(t, url);
      await settles(t, node);
      await begin();
      await staysLocal(t, node, causes, bounds);
      await end();
      await recovers(t, node, bounds.recoveredWithinMs);
    });
  }
}

const SETTLED_WITHIN_MS = 60_000;
let members = 0;
/** A signup that no other resembles in all. True: the server counted it. */
export const shared = async ({ counters }: SharedNode): Promise<boolean> =>
  (await observe(counters, attemptOf(`member ${members++}`))).every(
    ({ localBecause }) => localBecause === undefined,
  );

const said = ({ lines }: SharedNode, beginning: string) => lines.filter((line) => line.startsWith(beginning));
const SILENT = 'shared counters do not answer';
const ANSWERING = 'shared counters answer again';

/** A busy machine may miss a deadline while connections begin. */
export async function settles(t: ExecutionContext, node: SharedNode): Promise<void> {
  t.true(
    await until(async () => (await shared(node)) && node.counters.localSince() === null, SETTLED_WITHIN_MS),
  );
  node.lines.length = 0;
  node.fallbacks.length = 0;
}

/** All of the node's signups are answered by its own counts, and one line a server says so. */
export async function staysLocal(
  t: ExecutionContext,
  node: SharedNode,
  causes: readonly string[],
  { watchedMs, answeredWithinMs }: Pick<FaultBounds, 'watchedMs' | 'answeredWithinMs'>,
): Promise<void> {
  const end = performance.now() + watchedMs;
  let before = 0;
  const isExpected = (because: string) => causes.some((cause) => cause === because);
  const isKnown = () => node.counters.localSince() !== null && node.fallbacks.some(isExpected);
  while (performance.now() < end || !isKnown()) {
    const begunAt = performance.now();
    const counts = await observe(node.counters, attemptOf(`member ${members++}`));
    const tookMs = performance.now() - begunAt;
    if (answeredWithinMs !== null) t.true(tookMs < answeredWithinMs, `${tookMs} ms`);
    const because = counts[0]?.localBecause;
    // A call may miss its deadline on a busy machine before it learns the cause.
    t.true(because === 'timeout' || isExpected(because ?? 'none'), `${because} is one of ${causes}`);
    const count = counts[1]?.per_day ?? 0;
    t.is(count, before === 0 ? count : before + 1, 'counted on this node');
    before = count;
    await pause(10);
  }
  const servers = said(node, SILENT).map((line) => /"server":"[^"]*"/.exec(line)?.[0]);
  t.true(servers.length > 0);
  t.is(new Set(servers).size, servers.length);
}

export async function recovers(t: ExecutionContext, node: SharedNode, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  t.true(await until(() => shared(node), withinMs), 'shared again');
  t.true(await until(() => node.counters.localSince() === null, end - performance.now()));
  t.is(said(node, ANSWERING).length, said(node, SILENT).length);
}
