import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemError } from '../../http/problem.ts';
import type { UploadBody } from './upload.ts';
import type { UpstreamConnections } from './upstream-connections.ts';

/** How a forwarded request ended. */
export interface Forwarded {
  /** Of the upstream's answer; null when there was none. */
  readonly status: number | null;
  /** Bytes of the request may have reached the upstream. */
  readonly sent: boolean;
  /** Why there was no answer, or not all of it; null also when the client went away. */
  readonly problem: ProblemError | null;
}

export interface ExchangeDependencies {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly headers: string[];
  readonly body: UploadBody;
  /** Gives the memory of the body back, once all of it has left. */
  readonly releaseBody: (() => void) | null;
  readonly connections: UpstreamConnections;
  readonly responseTimeoutMs: number;
  /** A client that takes nothing for so long is gone. */
  readonly stallTimeoutMs: number;
  readonly servername: string;
  /** A client that goes away before the answer does not end a request that is on its way. */
  readonly outlivesClient: boolean;
  /** Changes the header of the answer, name and value in turn. */
  readonly rewriteAnswer: ((headers: readonly string[]) => string[]) | null;
  /** Called once. A problem that comes before the head of the answer is for the callee to tell the client. */
  readonly done: (outcome: Forwarded) => void;
}
