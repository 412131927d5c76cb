import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestRef } from './answers.ts';
import type { MatchedRoutes } from './routes/match-routes.ts';
import type { GateSettings } from './settings.ts';
import type { Peer, RequestMessage } from './transport/upstream-request.ts';

/** A request that fits a route, with what was found out about it once, when it came. */
export interface GatedRequest extends RequestRef {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly match: MatchedRoutes;
  readonly settings: GateSettings;
  /** A UUID: of this request, and of the decision that comes of it. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly peer: Peer;
  /** Its head as it came, and who sent it. */
  readonly message: RequestMessage;
  /** The path and query that the app gets. */
  readonly path: string;
}
