import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';

export interface SpanQueueOptions {
  readonly exporter: Pick<SpanExporter, 'export' | 'shutdown'>;
  /** @param result `dropped`: the queue was full, or the process ended. */
  readonly onSpans: (result: 'sent' | 'failed' | 'dropped', spans: number) => void;
  /** The receiver begins to fail. */
  readonly onFailing: (because: string) => void;
  readonly onSending: () => void;
}

/** The defaults of OpenTelemetry's own queue. */
const MAX_WAITING = 2_048;
const BATCH = 512;
/** From the first span until it is sent: half of OpenTelemetry's delay, so that a new trace is soon visible. */
const DELAY_MS = 2_500;
/** For one request to the receiver, with its retries. */
const DEADLINE_MS = 10_000;
const CLOSE_WITHIN_MS = 2_000;
const SAMPLED = 1;

/**
 * Spans that wait for the receiver. OpenTelemetry's own queue drops spans without a count, and waits for a receiver as long
 * as that sends a byte now and then.
 */
export function createSpanQueue(options: SpanQueueOptions): SpanProcessor & {
  /** Sends what waits, for so long at most. What is left then is dropped. */
  close(withinMs?: number): Promise<void>;
} {
  const { exporter, onSpans } = options;
  let waiting: ReadableSpan[] = [];
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isFailing = false;
  let onTheWay = 0;
  let isClosed = false;

  function add(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & SAMPLED) === 0) return;
    if (isClosed || waiting.length >= MAX_WAITING) {
      onSpans('dropped', 1);
      return;
    }
    waiting.push(span);
    if (sending !== null) return;
    // A receiver that fails is asked after each pause, not as soon as a batch is full.
    if (waiting.length >= BATCH && !isFailing) void sendNext();
    else timer ??= setTimeout(() => void sendNext(), DELAY_MS).unref();
  }

  function sendNext(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    sending ??= send(waiting.splice(0, BATCH)).finally(() => {
      sending = null;
      if (waiting.length > 0 && !isClosed) timer ??= setTimeout(() => void sendNext(), nextPauseMs()).unref();
    });
    return sending;
  }

  function nextPauseMs(): number {
    return waiting.length >= BATCH && !isFailing ? 0 : DELAY_MS;
  }

  async function send(batch: readonly ReadableSpan[]): Promise<void> {
    if (batch.length === 0) return;
    onTheWay = batch.length;
    const failure = await exported(batch);
    // The end has counted them as dropped.
    if (onTheWay === 0) return;
    onTheWay = 0;
    onSpans(failure === null ? 'sent' : 'failed', batch.length);
    if (failure !== null && !isFailing) options.onFailing(failure);
    if (failure === null && isFailing) options.onSending();
    isFailing = failure !== null;
  }

  /** Null, or why the receiver did not take them. */
  function exported(batch: readonly ReadableSpan[]): Promise<string | null> {
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, DEADLINE_MS, 'no answer in time').unref();
      const end = (failure: string | null) => {
        clearTimeout(deadline);
        resolve(failure);
      };
      try {
        exporter.export([...batch], ({ code, error }) => end(code === 0 ? null : reasonOf(error)));
      } catch (error) {
        end(reasonOf(error));
      }
    });
  }

  async function drain(): Promise<void> {
    while (sending !== null || waiting.length > 0) await sendNext();
  }

  return {
    onStart() {},
    onEnd: add,
    forceFlush: () => drain(),
    shutdown: () => Promise.resolve(),
    async close(withinMs = CLOSE_WITHIN_MS) {
      isClosed = true;
      let end: NodeJS.Timeout | undefined;
      const inTime = new Promise<void>((resolve) => {
        end = setTimeout(resolve, Math.min(withinMs, CLOSE_WITHIN_MS));
      });
      await Promise.race([drain(), inTime]);
      clearTimeout(end);
      if (timer) clearTimeout(timer);
      const left = waiting.length + onTheWay;
      if (left > 0) onSpans('dropped', left);
      waiting = [];
      onTheWay = 0;
      void exporter.shutdown();
    },
  };
}

/** The answer of the receiver may be long, and is not wanted in the log. */
function reasonOf(error: unknown): string {
  const { code, message = 'it failed' } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'number') return `status ${code}`;
  return message.slice(0, 200) || String(code ?? 'it failed');
}
