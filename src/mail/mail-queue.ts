import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../telemetry/logger.ts';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';

/** `unsent`: the queue was closed while it would have tried again. Another process may send the mail. */
export type MailResult = 'sent' | 'failed' | 'unsent';

export interface MailQueue {
  /**
   * Adds a mail, and calls `done` once with the result. Never throws. When the queue is full, the mail fails at once.
   *
   * @param isWanted Called before each try; must not reject. When it returns false, the mail is dropped and `done` is not
   * called.
   */
  add(mail: Mail, done: (result: MailResult) => void, isWanted?: () => Promise<boolean>): void;
  /**
   * Accepts no new mails. Tries each waiting mail once more without pauses; this takes at most a few seconds.
   *
   * @param withinMs A shorter limit than these few seconds.
   */
  close(withinMs?: number): Promise<void>;
}

export interface MailQueueOptions {
  readonly mailer: Mailer;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** The pause before each further try. */
  readonly retryDelaysMs?: readonly number[];
  readonly maxWaiting?: number;
  /** Called when the server did not accept a mail and the queue will try again. */
  readonly onRetry?: () => void;
}

/** Mails in the records count as lost when they wait for much longer. */
const MAX_RETRY_DELAY_MS = 60_000;
/**
 * Together more than five minutes: greylisting refuses the first tries for 300 s (the default of Postgrey), and a server
 * that restarts needs a few minutes.
 */
const RETRY_DELAYS_MS = [1_000, 5_000, 20_000, ...Array<number>(5).fill(MAX_RETRY_DELAY_MS)];
/** The number of mails that the whole site may send in an hour. All of them fit when they fail at once. */
const MAX_WAITING = 1_000;
/** The limit can be short: the next process sends the unsent mails of signups, and users can request any mail again. */
const CLOSE_WITHIN_MS = 5_000;
/** The number of connections to the server. */
const AT_ONCE = 4;

interface Waiting {
  readonly mail: Mail;
  readonly done: (result: MailResult) => void;
  readonly isWanted: () => Promise<boolean>;
  tries: number;
  /** Tries to send it, as a part of the request that it comes from and not of another one. */
  readonly attempt: () => Promise<void>;
}

/** Sends mails in the background, a few at a time, and tries again after temporary errors. */
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
      void next.attempt();
    }
    if (closed && sending === 0 && ready.length === 0) closed();
  }

  async function attempt(waiting: Waiting): Promise<void> {
    const isWanted = await waiting.isWanted();
    const error = isWanted
      ? await mailer.send(waiting.mail).then(
          () => null,
          (reason: unknown) => reason ?? new Error('no reason given'),
        )
      : null;
    sending--;
    if (error !== null) retry(waiting, error);
    else if (isWanted) waiting.done('sent');
    sendReady();
  }

  function retry(waiting: Waiting, error: unknown): void {
    const delayMs = retryDelaysMs[waiting.tries++];
    const isFinal = error instanceof MailError && error.isFinal;
    const because = error instanceof MailError ? error.message : 'an unexpected error';
    if (delayMs === undefined || isFinal) {
      log.error({ because, tries: waiting.tries }, 'a mail could not be sent');
      waiting.done('failed');
      return;
    }
    if (closed) {
      log.warn({ because }, 'the process stops before the mail server accepted a mail');
      waiting.done('unsent');
      return;
    }
    options.onRetry?.();
    log.warn({ because, retryInMs: delayMs }, 'the mail server did not accept a mail; retrying');
    const timer = setTimeout(() => {
      pausing.delete(waiting);
      ready.push(waiting);
      sendReady();
    }, delayMs);
    pausing.set(waiting, timer);
  }

  return {
    add(mail, done, isWanted = async () => true) {
      if (closed) {
        done('unsent');
        return;
      }
      if (ready.length + pausing.size >= maxWaiting) {
        log.error({ waiting: ready.length + pausing.size }, 'too many mails wait; one mail was dropped');
        done('failed');
        return;
      }
      const waiting: Waiting = {
        mail: { id: randomUUID(), ...mail },
        done,
        isWanted,
        tries: 0,
        attempt: AsyncResource.bind(() => attempt(waiting)),
      };
      ready.push(waiting);
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
      for (const { done } of ready.splice(0)) done('unsent');
      mailer.close();
    },
  };
}
