import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteMatch } from './routes/match-routes.ts';
import type { GateSettings } from './settings.ts';

/** A request that does not simply pass: what was known of it when it came. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly match: Exclude<RouteMatch, { kind: 'pass' }>;
  readonly settings: GateSettings;
  /** A UUID: of this request, and of the decision that comes of it. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}
