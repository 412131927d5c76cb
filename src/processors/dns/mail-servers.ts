import type { Attempt } from '../../assessment/attempt.ts';
import type { MailExchangeVerdict } from './mail-exchange.ts';

/**
 * Where the mail of an attempt's domain goes, for processors that compare attempts. Only the email processor queries the
 * DNS; the others read what it asked for, so that no domain is looked up for them alone. Forgotten with the attempt.
 */
export interface MailServers {
  note(attempt: Attempt, exchange: MailExchangeVerdict | Promise<MailExchangeVerdict>): void;
  /** Null when nothing was asked, or there was no answer. The promise does not reject, and settles when the query does. */
  of(attempt: Attempt): string | null | Promise<string | null>;
}

export function createMailServers(): MailServers {
  const exchanges = new WeakMap<Attempt, MailExchangeVerdict | Promise<MailExchangeVerdict>>();
  return {
    note: (attempt, exchange) => void exchanges.set(attempt, exchange),
    of(attempt) {
      const exchange = exchanges.get(attempt);
      if (exchange === undefined) return null;
      return exchange instanceof Promise ? exchange.then(serverOf, () => null) : exchange.server;
    },
  };
}

function serverOf({ server }: MailExchangeVerdict): string | null {
  return server;
}
