import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ProblemError } from '../../http/problem.ts';
import { BodyAbortedError } from '../../http/read-body.ts';
import { problemReply, sendReply } from '../../http/reply.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { GateMetrics } from '../../telemetry/metrics.ts';
import { createBodyBudget } from '../budgets.ts';
import type { StreamedBody } from '../forward-body.ts';
import { Exchange } from './exchange.ts';
import type { Forwarded } from './exchange-dependencies.ts';
import { IDEMPOTENT_METHODS } from './idempotent-methods.ts';
import { mayStayUnread } from './unread-body.ts';
import { openUpload, type UploadBody } from './upload.ts';
import { createUploadBuffers } from './upload-buffers.ts';
import { createUpstreamConnections } from './upstream-connections.ts';
import {
  type CurrentTrust,
  peerOf,
  type RequestMessage,
  requestHeaders,
  upstreamTarget,
} from './upstream-request.ts';
import { createWebSockets } from './web-sockets.ts';

export interface TransportOptions {
  /** Scheme, host and port of the app behind the gate. */
  readonly upstream: string;
  readonly timeouts: { readonly connect: number; readonly response: number };
  readonly maxConnections: number;
  /** The number of processes that share the memory of this machine. Left out: 1. */
  readonly processes?: number;
  /** Bodies in either direction may pause for `timeoutMs`. After that time they need `minBytesPerSecond`. */
  readonly body: { readonly timeoutMs: number; readonly minBytesPerSecond: number };
  /** Read for every request: the same object until a setting changes. */
  readonly settings: CurrentTrust;
  readonly metrics: Pick<GateMetrics, 'upstreamFailed'>;
  readonly log: Logger;
}

export interface ForwardOptions {
  /** A body that was read already or has its own source. Without it, the body is streamed from the request. */
  readonly body?: Buffer | StreamedBody;
  /** The gate's own header fields: name, value, name, value, … */
  readonly headers?: readonly string[];
  /** Replaces the head of the request: used to replay a held signup. Needs `body`. */
  readonly message?: RequestMessage;
  readonly requestId?: string;
  /** Receives the body, or the first bytes of a large body, when it is sent. Not called without a body. */
  readonly onBody?: (bytes: Buffer) => void;
  /** Whether the request is a signup: it may create an account, so it is never sent twice, whatever its method. */
  readonly isSignup?: boolean;
  /** Whether the upstream receives the whole request even if the client disconnects before the answer. Needs `body`. */
  readonly outlivesClient?: boolean;
  /** Changes the header fields of the answer: name, value, name, value, … */
  readonly rewriteAnswer?: (headers: readonly string[]) => string[];
  /** Learns the status when the head of the upstream's answer arrives. */
  readonly onAnswer?: (status: number) => void;
  /** Answers the client when the upstream failed, instead of a problem document. */
  readonly onProblem?: (problem: ProblemError) => void;
}

/** Sends requests to the app behind the gate, and its answers back. */
export interface Transport {
  /** Forwards a request and its answer. Resolves when the exchange has ended; never rejects. */
  forward(request: IncomingMessage, response: ServerResponse, options?: ForwardOptions): Promise<Forwarded>;
  /** Connects a client that asked for a WebSocket with the upstream. The answer is written to the socket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Whether no request is in progress. WebSockets do not count. */
  isIdle(): boolean;
  /** The number of open connections to the upstream, without WebSockets. */
  openConnections(): number;
  /**
   * Waits for requests in progress; WebSockets continue.
   * @param withinMs The time after which the remaining requests are ended. Without it, they are never ended.
   */
  close(withinMs?: number): Promise<void>;
}

const NOTHING: readonly string[] = [];

function lengthOf(body: StreamedBody): readonly string[] {
  return body.lengthBytes ? ['Content-Length', String(body.lengthBytes)] : NOTHING;
}

/**
 * The memory for all uploads that are read first: 512 uploads of the largest size. Without room, an upload is streamed.
 */
const UPLOAD_BUDGET_BYTES = 67_108_864;

const LOG_FULL_EVERY_MS = 60_000;

export function createTransport(options: TransportOptions): Transport {
  const { timeouts, body: limits, processes = 1, settings, metrics, log } = options;
  const { hostname: servername } = new URL(options.upstream);
  const connections = createUpstreamConnections({
    origin: options.upstream,
    connectTimeoutMs: timeouts.connect,
    maxConnections: options.maxConnections,
    onNoneFree: noteNoneFree,
  });
  const webSockets = createWebSockets({ upstream: options.upstream, timeouts, settings, metrics });
  const uploadLimits = {
    ...limits,
    budget: createBodyBudget(UPLOAD_BUDGET_BYTES / processes),
    buffers: createUploadBuffers(),
  };
  let failing = false;
  let fullUntil = 0;

  function noteNoneFree(): void {
    metrics.upstreamFailed('overloaded');
    const now = performance.now();
    if (now < fullUntil) return;
    fullUntil = now + LOG_FULL_EVERY_MS;
    log.warn(
      { limit: options.maxConnections },
      'proxy.max_upstream_connections is reached: all connections to the application are in use, and requests get 503',
    );
  }

  /** Logs one line when the upstream begins to fail and one when it works again, not one for each request. */
  function noteHealth({ status, problem }: Forwarded): void {
    const failed = problem?.code === 'bad_gateway' || problem?.code === 'gateway_timeout';
    if (failed) metrics.upstreamFailed(problem.code);
    if (failed && !failing) {
      failing = true;
      log.error(
        { err: problem.cause, code: problem.code },
        'the application behind the gate does not answer',
      );
    } else if (failing && status !== null && !problem) {
      failing = false;
      log.info({}, 'the application behind the gate answers again');
    }
  }

  function forward(
    request: IncomingMessage,
    response: ServerResponse,
    given: ForwardOptions = {},
  ): Promise<Forwarded> {
    return new Promise((resolve) => {
      const { trust } = settings.current;
      const message: RequestMessage = given.message ?? {
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        rawHeaders: request.rawHeaders,
        peer: peerOf(request, trust),
      };
      const done = (outcome: Forwarded) => {
        if (outcome.problem) {
          noteHealth(outcome);
          if (!response.headersSent && !response.destroyed) answer(outcome.problem);
        } else if (failing) {
          noteHealth(outcome);
        }
        resolve(outcome);
      };
      const answer = (problem: ProblemError) => {
        if (given.onProblem) given.onProblem(problem);
        else sendReply(request, response, problemReply(problem, given.requestId ?? randomUUID()));
      };
      const refuse = (problem: ProblemError) => done({ status: null, sent: false, problem });

      if (message.target === '*') {
        // OPTIONS for the server as a whole. undici cannot send the asterisk, so the gate answers.
        sendReply(request, response, { status: 204, headers: [], body: null });
        resolve({ status: 204, sent: false, problem: null });
        return;
      }
      const target = upstreamTarget(message.target);
      if (!target) {
        refuse(
          new ProblemError('bad_request', 'The target of the request is neither a path nor an HTTP URL.'),
        );
        return;
      }
      const streamed = given.body && !Buffer.isBuffer(given.body) ? given.body : null;
      const send = (body: UploadBody, releaseBody: (() => void) | null = null) => {
        const headers = requestHeaders(message, {
          settings: trust,
          authority: target.authority,
          extra: streamed
            ? [...(given.headers ?? NOTHING), ...lengthOf(streamed)]
            : (given.headers ?? NOTHING),
          withoutLength: body === null || Buffer.isBuffer(body) || streamed !== null,
        });
        new Exchange({
          request,
          response,
          method: message.method,
          path: target.path,
          headers,
          body,
          isRepeatable: IDEMPOTENT_METHODS.has(message.method) && !given.isSignup,
          isLast: message.method !== 'POST' && mayStayUnread(message.method, body, headers),
          releaseBody,
          connections,
          responseTimeoutMs: timeouts.response,
          stallTimeoutMs: limits.timeoutMs,
          servername,
          outlivesClient: given.outlivesClient ?? false,
          rewriteAnswer: given.rewriteAnswer ?? null,
          onAnswer: given.onAnswer ?? null,
          done,
        }).start();
      };
      if (streamed) send(streamed.open());
      else if (Buffer.isBuffer(given.body)) send(given.body.length === 0 ? null : given.body);
      else {
        openUpload(request, response, uploadLimits, (upload) => {
          if (upload instanceof ProblemError) refuse(upload);
          else if (upload instanceof BodyAbortedError) resolve({ status: null, sent: false, problem: null });
          else {
            if (upload.first) given.onBody?.(upload.first);
            send(upload.body, upload.release);
          }
        });
      }
    });
  }

  return {
    forward,
    upgrade: webSockets.join,
    isIdle: () => connections.acquiredCount() === 0,
    openConnections: connections.openCount,
    close: connections.close,
  };
}
