import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './drive.ts';
import { onLoadCore } from './machine.ts';

export type LoadAnswer = { readonly result: LoadResult } | { readonly failure: string };

/** Sends load from a process of its own, so that what it costs is nobody else's. One run at a time. */
export interface LoadGenerator {
  /** @throws {Error} when a run fails, or an answer had another status than 200. */
  run(load: Load): Promise<LoadResult>;
  close(): void;
}

/** How much of it a family of rows sends. */
export interface Run {
  readonly generator: LoadGenerator;
  readonly rounds: number;
  /** Requests a round and server, where a row does not say otherwise. */
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
      // A megabyte of requests is handed over once, not once a run.
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
