import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { REFUSE_LATE_AFTER_MS, runWhileFree } from '../http/event-loop.ts';
import { ProblemError } from '../http/problem.ts';
import type { ApiDependencies } from './exchange.ts';

export interface ApiTurns {
  /** Senders take turns for the start of their requests, as at the gate. */
  inTurns(handler: RequestListener): RequestListener;
  /** @throws {ProblemError} `overloaded`; to a sender with too many waiting requests after a while. */
  refuseAboveLimit(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Health checks have their own turns: a load balancer's check does not wait behind the requests that it forwards. */
const HEALTH: ReadonlySet<string> = new Set(['/livez', '/readyz']);
/** The work to begin a request, in units of `runWhileFree`. */
const REQUEST_UNITS = 2;

export function createApiTurns({
  lag,
  metrics,
  senderOf: addressOf,
}: Pick<ApiDependencies, 'lag' | 'metrics' | 'senderOf'>): ApiTurns {
  function senderOf(request: IncomingMessage): string {
    const address = addressOf(request);
    return HEALTH.has(request.url ?? '') ? `health ${address}` : address;
  }

  return {
    inTurns: (handler) => (request, response) =>
      runWhileFree(
        () => handler(request, response),
        () => senderOf(request),
        REQUEST_UNITS,
      ),
    async refuseAboveLimit(request, response) {
      if (request.url === '/livez') return;
      const isLate = lag.isLate(() => senderOf(request));
      if (!isLate && !lag.isOverloaded()) return;
      metrics.shed();
      if (isLate) {
        response.shouldKeepAlive = false;
        await delay(REFUSE_LATE_AFTER_MS);
      }
      throw new ProblemError('overloaded', 'The server is overloaded; ask again in a moment.', {
        retryAfterSeconds: 1,
      });
    },
  };
}
