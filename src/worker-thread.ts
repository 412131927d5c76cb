import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread with the module of that name beside another module. From sources (tests, `tsx`) the thread registers the
 * TypeScript loader itself: in Node 20 it does not inherit it.
 *
 * @param name The name of the module, without its extension.
 * @param beside `import.meta.url` of the other module.
 */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  const extension = extname(beside);
  const url = new URL(`${name}${extension}`, beside);
  if (extension === '.js') return new Worker(url, options);
  const loader = import.meta.resolve('tsx/esm/api');
  const code = `import('${loader}').then(({ register }) => (register(), import('${url.href}')))`;
  return new Worker(code, { ...options, eval: true });
}

/**
 * Lowers the priority of this thread: on a busy machine its work waits, and no signup does. Only Linux has a priority for
 * each thread. Elsewhere the call would slow down the whole process, so it does nothing there.
 */
export function yieldToSignups(niceness: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(niceness);
  } catch {
    // A sandbox may forbid the call. Then all threads have the same share.
  }
}
