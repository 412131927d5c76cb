import type { Logger } from '../telemetry/logger.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';

export interface MailQueue {
  /** Calls `done` once, with how it ended. Never throws; a full queue fails at once. */
  add(mail: Mail, done: (result: 'sent' | 'failed') => void): void;
  /**
   * Tries what waits once more, without pauses, as far as a few seconds go. Takes no more.
   *
   * @param withinMs where there is less time than that.
   */
  close(withinMs?: number): Promise<void>;
}

export interface MailQueueOptions {
  readonly mailer: Mailer;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Pauses before each further try. */
  readonly retryDelaysMs?: readonly number[];
  readonly maxWaiting?: number;
  /** A mail was not taken and is tried again. */
  readonly onRetry?: () => void;
}

/** With the tries themselves, all ends within about two minutes: by then a person has pressed "send again". */
const RETRY_DELAYS_MS = [1_000, 5_000, 20_000, 60_000];
/** An hour's budget of the whole site, all failing at once. */
const MAX_WAITING = 1_000;
/** What is not sent when the process ends can be asked for again on the page. */
const CLOSE_WITHIN_MS = 5_000;
/** As many as there are connections to the server. */
const AT_ONCE = 4;

interface Waiting {
  readonly mail: Mail;
  readonly done: (result: 'sent' | 'failed') => void;
  tries: number;
}

/** Sends mails in the background, a few at a time, and tries those again that a server was not ready for. */
export function createMailQueue(options: MailQueueOptions): MailQueue {
  const { mailer, log, retryDelaysMs = RETRY_DELAYS_MS, maxWaiting = MAX_WAITING } = options;
  const ready: Waiting[] = [];
  const pausing = new Map<Waiting, NodeJS.Timeout>();
  let sending = 0;
  let closed: (() => void) | null = null;

  function sendReady(): void {
    while (sending < AT_ONCE) {
      const next = ready.shift();
      if (!next) break;
      sending++;
      void attempt(next);
    }
    if (closed && sending === 0 && ready.length === 0) closed();
  }

  async function attempt(waiting: Waiting): Promise<void> {
    const error = await mailer.send(waiting.mail).then(
      () => null,
      (reason: unknown) => reason ?? new Error('no reason given'),
    );
    sending--;
    if (error === null) waiting.done('sent');
    else retry(waiting, error);
    sendReady();
  }

  function retry(waiting: Waiting, error: unknown): void {
    const delayMs = retryDelaysMs[waiting.tries++];
    const isFinal = error instanceof MailError && error.isFinal;
    const because = error instanceof MailError ? error.message : 'an unexpected error';
    if (delayMs === undefined || isFinal || closed) {
      log.error({ because, tries: waiting.tries }, 'a mail could not be sent');
      waiting.done('failed');
      return;
    }
    options.onRetry?.();
    log.warn({ because, retryInMs: delayMs }, 'the mail server did not take a mail; it is tried again');
    const timer = setTimeout(() => {
      pausing.delete(waiting);
      ready.push(waiting);
      sendReady();
    }, delayMs);
    pausing.set(waiting, timer);
  }

  return {
    add(mail, done) {
      if (closed || ready.length + pausing.size >= maxWaiting) {
        log.error({ waiting: ready.length + pausing.size }, 'too many mails wait; one was given up');
        done('failed');
        return;
      }
      ready.push({ mail, done, tries: 0 });
      sendReady();
    },
    async close(withinMs = CLOSE_WITHIN_MS) {
      let deadline: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        closed = resolve;
        deadline = setTimeout(resolve, Math.min(withinMs, CLOSE_WITHIN_MS));
        for (const [waiting, timer] of pausing) {
          clearTimeout(timer);
          ready.push(waiting);
        }
        pausing.clear();
        sendReady();
      });
      clearTimeout(deadline);
      for (const { done } of ready.splice(0)) done('failed');
      mailer.close();
    },
  };
}
