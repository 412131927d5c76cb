import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../telemetry/logger.ts';
import type { ParentCalls, StartedWorker, WorkerCalls } from './calls.ts';
import { type Channel, openChannel } from './channel.ts';
import { createRestartPolicy, MAX_DEATHS_IN_A_MINUTE } from './restart-policy.ts';
import { watchAnswers } from './watch-answers.ts';

/** A process that serves requests. */
export interface Worker {
  /** The name of this process only: its replacement has another name. */
  readonly name: string;
  readonly channel: Channel<WorkerCalls>;
}

export interface WorkerPoolOptions {
  readonly size: number;
  readonly answers: Omit<ParentCalls, 'closed'>;
  /** Opens all parts of a new worker, with the newest configuration. */
  readonly prepare: (worker: Worker) => Promise<StartedWorker>;
  readonly onReady: () => void;
  readonly onEnd: (worker: Worker) => void;
  readonly onClosed: (worker: Worker, connections: number) => void;
  /** Called when so many workers died that another start is useless. */
  readonly onGivenUp: (error: Error) => void;
  readonly log: Logger;
}

export interface WorkerPool {
  /** Starts all workers. Throws the error of the first worker that cannot start. */
  start(): Promise<readonly StartedWorker[]>;
  /** The workers that serve requests now. */
  ready(): readonly Worker[];
  /** Waits for the workers to finish, and kills those that take longer. */
  stop(withinMs: number): Promise<void>;
}

interface RunningWorker extends Worker {
  readonly slot: number;
  readonly child: ChildProcess;
  readonly startedAt: number;
  /** A promise that resolves when the process has ended. */
  readonly ended: Promise<void>;
}

/** This is longer than the time in which a worker stops by itself. */
const GRACE_MS = 1_000;

/** Starts the workers, and replaces each worker that dies. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { size, answers, prepare, onReady, onEnd, onClosed, onGivenUp, log } = options;
  const policy = createRestartPolicy();
  const running = new Set<RunningWorker>();
  const timers = new Set<NodeJS.Timeout>();
  const watches = new Map<RunningWorker, () => void>();
  let ready: readonly RunningWorker[] = [];
  let launches = 0;
  /** No worker is replaced during the first start of all workers, or after the stop began. */
  let replaces = false;

  function launch(slot: number): RunningWorker {
    const child = fork(fileURLToPath(new URL(`worker-main${extname(import.meta.url)}`, import.meta.url)), {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        end(worker, { code, signal });
        resolve();
      });
    });
    const worker: RunningWorker = {
      name: `worker ${slot}, start ${launches++}`,
      channel: openChannel<WorkerCalls>(child, {
        ...answers,
        closed: (connections: number) => onClosed(worker, connections),
      }),
      slot,
      child,
      ended,
      startedAt: performance.now(),
    };
    child.once('disconnect', () => leave(worker));
    running.add(worker);
    return worker;
  }

  async function bringUp(worker: RunningWorker): Promise<StartedWorker> {
    const started = await prepare(worker);
    ready = [...ready, worker];
    watches.set(
      worker,
      watchAnswers(worker.channel, () => endSilent(worker)),
    );
    onReady();
    return started;
  }

  function leave(worker: RunningWorker): void {
    ready = ready.filter((one) => one !== worker);
    watches.get(worker)?.();
    watches.delete(worker);
  }

  function endSilent({ child }: RunningWorker): void {
    log.error({ pid: child.pid }, 'a worker has not answered for 15 seconds and is ended');
    child.kill('SIGKILL');
  }

  function end(worker: RunningWorker, how: { readonly code: number | null; readonly signal: string | null }) {
    running.delete(worker);
    leave(worker);
    onEnd(worker);
    if (!replaces) return;
    const at = performance.now();
    const delayMs = policy.died(worker.slot, { at, livedMs: at - worker.startedAt });
    if (delayMs === null) {
      replaces = false;
      onGivenUp(
        new Error(
          `${MAX_DEATHS_IN_A_MINUTE} workers died within a minute. The log has the reasons. Gatekeeper stops.`,
        ),
      );
      return;
    }
    log.error({ pid: worker.child.pid, ...how, next_in_ms: delayMs }, 'a worker died and is replaced');
    const timer = setTimeout(() => {
      timers.delete(timer);
      const next = launch(worker.slot);
      bringUp(next).then(
        () => log.info({ pid: next.child.pid }, 'a new worker serves requests'),
        (error: unknown) => {
          // During a stop it was ended on purpose.
          if (replaces) log.error({ err: error, pid: next.child.pid }, 'a worker could not start');
          next.child.kill('SIGKILL');
        },
      );
    }, delayMs);
    timers.add(timer);
  }

  return {
    async start() {
      const started = await Promise.all(Array.from({ length: size }, (_, slot) => bringUp(launch(slot))));
      replaces = true;
      return started;
    },
    ready: () => ready,
    async stop(withinMs) {
      replaces = false;
      for (const timer of timers) clearTimeout(timer);
      // A worker that finishes its requests has its own time limit.
      for (const endWatch of watches.values()) endWatch();
      await Promise.all([...running].map((worker) => stopOne(worker, ready.includes(worker), withinMs)));
    },
  };
}

/** A worker that has not finished its start has no requests. */
async function stopOne({ child, channel, ended }: RunningWorker, isReady: boolean, withinMs: number) {
  if (!isReady) child.kill('SIGKILL');
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs + GRACE_MS);
  // When the call fails, the worker has ended.
  if (isReady) await channel.call('stop', null).catch(() => {});
  if (child.connected) child.disconnect();
  await ended;
  clearTimeout(timer);
}
