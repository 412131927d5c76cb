import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemError } from '../../http/problem.ts';
import type { UploadBody } from './upload.ts';
import type { UpstreamConnections } from './upstream-connection.ts';

/** The result of a forwarded request. */
export interface Forwarded {
  /** The status of the upstream's answer; null without an answer. */
  readonly status: number | null;
  /** Whether the upstream may have received bytes of the request. */
  readonly sent: boolean;
  /** The reason why there is no complete answer. Null also when the client disconnected. */
  readonly problem: ProblemError | null;
}

export interface ExchangeDependencies {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly headers: string[];
  readonly body: UploadBody;
  /** Whether the request may be sent again when a reused connection ends before any answer. */
  readonly isRepeatable: boolean;
  /** Whether the request must be the last one on its connection to the upstream. */
  readonly isLast: boolean;
  /** Releases the memory of the body when all of it was sent. */
  readonly releaseBody: (() => void) | null;
  readonly connections: UpstreamConnections;
  readonly responseTimeoutMs: number;
  /** A client that accepts no bytes for this time counts as disconnected. */
  readonly stallTimeoutMs: number;
  readonly servername: string;
  /** Whether the request to the upstream continues when the client disconnects before the answer. */
  readonly outlivesClient: boolean;
  /** Changes the header fields of the answer: name, value, name, value, … */
  readonly rewriteAnswer: ((headers: readonly string[]) => string[]) | null;
  /** Learns the status when the head of the answer arrives. */
  readonly onAnswer: ((status: number) => void) | null;
  /**
   * Called once, at the end. When the problem comes before the head of the answer, the called function answers the
   * client.
   */
  readonly done: (outcome: Forwarded) => void;
}
