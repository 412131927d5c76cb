import type { Attempt } from '../../assessment/attempt.ts';
import type { MailExchangeVerdict } from './mail-exchange.ts';

/**
 * The mail servers of an attempt's domain, for processors that compare attempts. Only the email processor queries the
 * DNS. The other processors read its answers, so no domain is looked up only for them. The answers are deleted with the
 * attempt.
 */
export interface MailServers {
  note(attempt: Attempt, exchange: MailExchangeVerdict | Promise<MailExchangeVerdict>): void;
  /** Null when no query was sent, or no answer came. The promise does not reject, and settles when the query does. */
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
