import { pause } from './redis-server.ts';

export interface SteadyLoad {
  readonly perSecond: number;
  readonly forMs: number;
  /** Sends a request and answers its status. */
  readonly send: (turn: number) => Promise<number>;
}

export interface LoadSample {
  readonly tookMs: number;
  /** What the request failed with, where there was no answer. */
  readonly status: number | string;
}

/** More wait than a machine keeps up with: then fewer are sent. */
const MAX_RUNNING = 200;
const STEP_MS = 5;

/** Sends so many requests a second, or as many as are answered, and waits for the last answers. */
export async function applySteadyLoad({
  perSecond,
  forMs,
  send,
}: SteadyLoad): Promise<readonly LoadSample[]> {
  const samples: LoadSample[] = [];
  const running = new Set<Promise<void>>();
  const begunAt = performance.now();
  let turn = 0;

  async function sendOne(): Promise<void> {
    const sentAt = performance.now();
    const status = await send(turn).catch((error: unknown) => String(error));
    samples.push({ tookMs: performance.now() - sentAt, status });
  }

  for (let nowMs = 0; nowMs < forMs; nowMs = performance.now() - begunAt) {
    const due = (nowMs * perSecond) / 1_000;
    for (; turn < due && running.size < MAX_RUNNING; turn++) {
      const one = sendOne().finally(() => running.delete(one));
      running.add(one);
    }
    await pause(STEP_MS);
  }
  await Promise.all(running);
  return samples;
}

export function percentileOf(samples: readonly LoadSample[], share: number): number {
  const sorted = samples.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
