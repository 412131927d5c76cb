import type { WorkerCalls } from './calls.ts';
import type { Channel } from './channel.ts';

const ASK_EVERY_MS = 2_000;
/** Far longer than any computation of a worker. */
const PATIENCE_MS = 15_000;

export interface AnswerTimes {
  readonly everyMs: number;
  readonly patienceMs: number;
}

/**
 * Asks a worker again and again whether its event loop runs. A process that was stopped, or computes without an end, still
 * holds its connections, so its clients would wait for ever.
 * @param onSilent called once, when an answer is late.
 * @returns ends the watch.
 */
export function watchAnswers(
  channel: Pick<Channel<WorkerCalls>, 'call'>,
  onSilent: () => void,
  { everyMs, patienceMs }: AnswerTimes = { everyMs: ASK_EVERY_MS, patienceMs: PATIENCE_MS },
): () => void {
  let askedAt: number | null = null;
  let lookedAt = performance.now();
  const answered = () => {
    askedAt = null;
  };
  const timer = setInterval(() => {
    const now = performance.now();
    // This process stood still itself, so the answer may wait here: the machine slept, for example.
    if (askedAt !== null && now - lookedAt > 2 * everyMs) askedAt = now;
    lookedAt = now;
    if (askedAt === null) {
      askedAt = now;
      // It fails when the worker has ended.
      channel.call('ping', null).then(answered, answered);
    } else if (now - askedAt >= patienceMs) {
      clearInterval(timer);
      onSilent();
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
