import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './drive.ts';
import { onLoadCore } from './machine.ts';

export type LoadAnswer = { readonly result: LoadResult } | { readonly failure: string };

/** Sends load from its own process, so that its cost does not count for the server. One run at a time. */
export interface LoadGenerator {
  /** @throws {Error} when a run fails, or an answer has a status other than 200. */
  run(load: Load): Promise<LoadResult>;
  close(): void;
}

/** The amount of load for a family of rows. */
export interface Run {
  readonly generator: LoadGenerator;
  readonly rounds: number;
  /** Requests for each round and server, unless a row says otherwise. */
  readonly count: number;
}

export function openLoadGenerator(): LoadGenerator {
  const [program, ...args] = onLoadCore([
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    fileURLToPath(new URL('load-process.ts', import.meta.url)),
  ]);
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  let known: readonly string[] | null = null;

  return {
    async run({ requests, ...order }) {
      // A megabyte of requests is sent to the process once, not for each run.
      child.send(requests === known ? order : { ...order, requests });
      known = requests;
      const early = ended.then(() => {
        throw new Error('The load generator ended.');
      });
      const [answer] = (await Promise.race([once(child, 'message'), early])) as [LoadAnswer];
      if ('failure' in answer) throw new Error(`The load failed: ${answer.failure}`);
      const odd = Object.entries(answer.result.statuses).filter(([status]) => status !== '200');
      if (odd.length > 0) {
        const counts = odd.map(([status, count]) => `${count} × ${status}`).join(', ');
        throw new Error(`Of ${order.count} answers these were not 200: ${counts}.`);
      }
      return answer.result;
    },
    close: () => child.disconnect(),
  };
}
