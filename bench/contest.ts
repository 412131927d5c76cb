import type { ChildServer } from './child-server.ts';
import type { Load } from './drive.ts';
import type { LoadGenerator } from './load-generator.ts';
import { cpuTimeUs } from './process-tree.ts';
import { format } from './report.ts';
import { medianOf, type Row, type Target } from './row.ts';

/** One server of a contest, and its requests. */
export interface Contestant {
  readonly name: string;
  readonly server: ChildServer;
  readonly load: Omit<Load, 'port'>;
}

export interface Sample {
  /** CPU time of the server's process tree for each request. */
  readonly cpuUs: number;
  /** Requests. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Samples by contestant, one for each round. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/**
 * Puts servers under load in turn, A B C A B C …, so that other work on the machine affects all equally. Half a round's
 * requests warm up each server first.
 */
export async function runContest(
  contestants: readonly Contestant[],
  { generator, rounds }: { readonly generator: LoadGenerator; readonly rounds: number },
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]));
  const send = async ({ name, server, load }: Contestant, count: number) => {
    try {
      return await generator.run({ ...load, port: server.port, count });
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  };
  for (const contestant of contestants) await send(contestant, Math.ceil(contestant.load.count / 2));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      const { name, server, load } = contestant;
      const before = cpuTimeUs(server.pid);
      const { elapsedMs, p50Ms, p99Ms } = await send(contestant, load.count);
      const cpuUs = (cpuTimeUs(server.pid) - before) / load.count;
      samples.get(name)?.push({ cpuUs, perSecond: (load.count * 1_000) / elapsedMs, p50Ms, p99Ms });
    }
  }
  return samples;
}

export interface Comparison {
  /** The work, for the row's name. */
  readonly work: string;
  readonly ours: string;
  readonly yardstick: string;
  readonly target: Target | null;
}

/** Two rows: the CPU time of a request and the requests in a second, both compared with the yardstick. */
export function compare(samples: Samples, { work, ours, yardstick, target }: Comparison): readonly Row[] {
  const our = samples.get(ours) ?? [];
  const their = samples.get(yardstick) ?? [];
  const ratios = (ratio: (mine: Sample, theirs: Sample) => number) =>
    our.flatMap((mine, round) => {
      const theirs = their[round];
      return theirs ? [ratio(mine, theirs)] : [];
    });
  const medians = (figure: (sample: Sample) => number) =>
    [our, their].map((side) => format(medianOf(side.map(figure))));
  const [ourCpu, theirCpu] = medians(({ cpuUs }) => cpuUs);
  const [ourRate, theirRate] = medians(({ perSecond }) => perSecond);
  return [
    {
      name: `${work}, against ${yardstick}, CPU`,
      unit: '×',
      target,
      values: ratios((mine, theirs) => theirs.cpuUs / mine.cpuUs),
      note: `${ourCpu} µs, theirs ${theirCpu} µs a request`,
    },
    {
      name: `${work}, against ${yardstick}, throughput`,
      unit: '×',
      target,
      values: ratios((mine, theirs) => mine.perSecond / theirs.perSecond),
      note: `${ourRate} a second, theirs ${theirRate}`,
    },
  ];
}
