import type { ChildServer } from '../child-server.ts';
import { type Contestant, compare, runContest } from '../contest.ts';
import type { Load } from '../drive.ts';
import type { Run } from '../load-generator.ts';
import type { Row } from '../row.ts';

const ONE_IN = 50;
const LEAVING = ', some leave';

export interface LeaverContest {
  /** The work, for the names of the rows. */
  readonly work: string;
  readonly ours: string;
  readonly yardstick: string;
  readonly servers: readonly [ours: ChildServer, yardstick: ChildServer];
  readonly load: Omit<Load, 'port'>;
}

/**
 * Compares the rows when the clients of one request in fifty disconnect before their answer. Each of them costs a
 * connection on both sides of a proxy, and must not cost more. Both are measured in turn, with disconnecting clients
 * and without.
 */
export async function besideLeavers(contest: LeaverContest, run: Run): Promise<readonly Row[]> {
  const { work, ours, yardstick, servers, load } = contest;
  const contestants = [ours, yardstick].flatMap((name, i): Contestant[] => {
    const server = servers[i];
    if (!server) return [];
    return [
      { name, server, load },
      { name: name + LEAVING, server, load: { ...load, leavesEvery: ONE_IN } },
    ];
  });
  const samples = await runContest(contestants, run);
  const without = compare(samples, { work, ours, yardstick, target: null });
  const beside = compare(samples, {
    work,
    ours: ours + LEAVING,
    yardstick: yardstick + LEAVING,
    target: null,
  });
  return beside.map(({ name, values, note }, i) => ({
    name: `${name.replaceAll(LEAVING, '')}, with one client in ${ONE_IN} leaving, against the same without`,
    unit: '×',
    target: { bound: 'at_least', must: 0.95, aim: 1 },
    values: values.map((value, round) => value / (without[i]?.values[round] ?? value)),
    note,
  }));
}
