import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type {
  ExportBatch,
  ExportHolder,
  ExportProgress,
  ExportStore,
} from '../storage/exports/export-store.ts';
import type { ExportMetrics } from '../telemetry/export-metrics.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createBatchSize } from './batch-size.ts';
import { createWebhookClient, type PostResult, TOO_LARGE } from './post-webhook.ts';
import { renderBatch } from './render-batch.ts';
import { retryDelayMs, withRetryAfter } from './retry-delay.ts';
import { signWebhook } from './sign-webhook.ts';

export type ExportConfig = Config['exports'][number];

/** The longest wait of a decision before it is sent. Decisions are collected for one batch in this time. */
const POLL_MS = 1_000;
/**
 * The duration of the lease. It is longer than one attempt. If a process stops suddenly, another process continues
 * after this time.
 */
const LEASE_MS = 15_000;
/** The interval at which the lease is renewed. */
const SLICE_MS = LEASE_MS / 3;
const GIVE_UP_AFTER_MS = 3 * 86_400_000;

export interface Delivery {
  /** The progress that was last read from the storage. Null before the first reading. */
  progress(): ExportProgress | null;
  /** Waits for the running attempt, but not longer than this time. */
  close(withinMs?: number): Promise<void>;
}

export interface DeliveryDependencies {
  readonly config: ExportConfig;
  readonly owner: string;
  readonly store: ExportStore;
  readonly metrics: Pick<ExportMetrics, 'tried' | 'delivered'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** A random number from 0 to 1, for the jitter. */
  readonly random: () => number;
}

/**
 * Delivers the decisions to one webhook, one batch after another, until it is closed. If several processes run, only
 * the process with the lease delivers. A failure here does not affect requests: it is counted, logged once, and the
 * delivery is tried again.
 */
export function startDelivery({
  config,
  owner,
  store,
  metrics,
  clock,
  log,
  random,
}: DeliveryDependencies): Delivery {
  const { name, url, secrets, private_networks } = config;
  const holder: ExportHolder = { name, owner };
  const client = createWebhookClient(url, private_networks);
  const size = createBatchSize(clock);
  const ending = new AbortController();
  let isKnown = false;
  let leasedUntil = 0;
  let failures = 0;
  /** The smallest batch that the log has. */
  let fewest = Number.POSITIVE_INFINITY;
  let isStorageFailing = false;
  let progress: ExportProgress | null = null;
  const running = run();

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      let pauseMs = POLL_MS;
      try {
        pauseMs = await step();
        isStorageFailing = false;
      } catch (error) {
        // Nothing is lost, because the position in the storage stays.
        if (!isStorageFailing)
          log.error({ err: error, export: name }, 'the storage of an export does not answer');
        isStorageFailing = true;
      }
      await waitWithLease(pauseMs);
    }
  }

  /** After failures the wait is longer than the lease. Without a renewal, another process would try immediately. */
  async function waitWithLease(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !ending.signal.aborted; left -= SLICE_MS) {
      await wait(Math.min(left, SLICE_MS));
      if (left > SLICE_MS && leasedUntil > 0) await hold().catch(() => {});
    }
  }

  /** Delivers one batch, if decisions wait. Returns the time until the next step. */
  async function step(): Promise<number> {
    // With workers, the parent may be here before a worker has added it.
    if (!isKnown) await store.add(name);
    isKnown = true;
    if (!(await hold())) return POLL_MS;
    const most = size.most();
    const batch = await store.nextBatch(holder, most);
    progress = await store.progress(name);
    if (!batch) return POLL_MS;
    const result = await send(batch);
    metrics.tried(name, result.isDelivered ? 'delivered' : result.because);
    if (result.isDelivered) return await settle(batch, most);
    return result.because === TOO_LARGE && batch.decisions.length > 1
      ? await shorten(batch, result.retryAfterMs)
      : await retry(result);
  }

  /** Renews the lease when half of it is over. An idle export writes little. */
  async function hold(): Promise<boolean> {
    const now = clock();
    if (leasedUntil - now > LEASE_MS / 2 && leasedUntil - now <= LEASE_MS) return true;
    leasedUntil = (await store.lease(holder, LEASE_MS)) ? now + LEASE_MS : 0;
    return leasedUntil > 0;
  }

  async function send(batch: ExportBatch): Promise<PostResult> {
    // All decisions of the batch were erased or deleted meanwhile.
    if (batch.decisions.length === 0) return { isDelivered: true };
    const message = { id: batch.id, body: await renderBatch(batch) };
    return client.post(signWebhook(message, secrets, clock()), message.body);
  }

  async function settle(batch: ExportBatch, most: number): Promise<number> {
    await store.delivered(holder, batch);
    metrics.delivered(name, batch.decisions.length);
    if (failures > 0) log.info({ export: name, failures }, 'an export is delivered again');
    failures = 0;
    return batch.decisions.length < most ? POLL_MS : 0;
  }

  /** No failure of the receiver: it answers, and takes less at a time. */
  async function shorten(batch: ExportBatch, retryAfterMs: number | null): Promise<number> {
    const decisions = size.halve(batch.decisions.length);
    await store.shorten(holder, batch, decisions);
    if (decisions < fewest)
      log.warn({ export: name, decisions }, 'a receiver answers 413: it gets fewer decisions at a time');
    fewest = Math.min(fewest, decisions);
    return withRetryAfter(0, retryAfterMs);
  }

  async function retry({
    because,
    retryAfterMs,
  }: Exclude<PostResult, { isDelivered: true }>): Promise<number> {
    if (failures === 0) {
      log.warn({ export: name, because }, 'an export cannot be delivered; it is tried again for three days');
    }
    failures += 1;
    if ((await store.failed(holder)) >= GIVE_UP_AFTER_MS) await giveUp();
    return withRetryAfter(retryDelayMs(failures - 1, random()), retryAfterMs);
  }

  async function giveUp(): Promise<void> {
    for (let hasMore = true; hasMore && !ending.signal.aborted && (await hold()); ) {
      const step = await store.giveUp(holder, GIVE_UP_AFTER_MS);
      hasMore = step.hasMore;
      if (step.count === 0) continue;
      log.error(
        { export: name, decisions: step.count },
        'decisions were given up after three days of failures',
      );
    }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        ending.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      timer.unref();
      ending.signal.addEventListener('abort', end, { once: true });
      if (ending.signal.aborted) end();
    });
  }

  return {
    progress: () => progress,
    async close(withinMs = LEASE_MS) {
      ending.abort();
      const late = setTimeout(() => client.close(), withinMs);
      await running;
      clearTimeout(late);
      client.close();
      await store.release(holder).catch(() => {});
    },
  };
}
