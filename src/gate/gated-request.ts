import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mailbox } from '../addresses/email-address.ts';
import type { RequestRef } from './answers.ts';
import type { MatchedRoutes } from './routes/match-routes.ts';
import type { GateSettings } from './settings.ts';
import type { Forwarded } from './transport/exchange-dependencies.ts';
import type { ForwardOptions } from './transport/transport.ts';
import type { Peer, RequestMessage } from './transport/upstream-request.ts';
import type { PassingBody } from './watch/watch-passing.ts';

/** The next step for a request that is not refused: to the upstream, or back to the proxy that asks about it. */
export type Forward = (
  request: IncomingMessage,
  response: ServerResponse,
  options?: ForwardOptions,
) => Promise<Forwarded>;

/** The headers of a signup, as its facts need them. */
export type SenderHead = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** A request that matches a route, with the facts that were read once on arrival. */
export interface GatedRequest extends RequestRef {
  /** The request to answer. */
  readonly request: IncomingMessage;
  /** The head of the signup: that of `request`, or of a held signup from before. */
  readonly sender: SenderHead;
  readonly response: ServerResponse;
  readonly match: MatchedRoutes;
  readonly settings: GateSettings;
  /** A UUID for this request and its decision. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly peer: Peer;
  /** The head of the request and its sender. */
  readonly message: RequestMessage;
  /** The path and query that the app receives. */
  readonly path: string;
  readonly forward: Forward;
  /** Looks at the body when no route judges it; null when it needs no look. */
  readonly passing?: PassingBody | null;
  /**
   * The mailbox that was typed, when a held signup is judged again with the suggested address; null when it can no
   * longer be read.
   */
  readonly corrects?: Mailbox | null;
}
