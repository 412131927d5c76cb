import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerConfig } from '../config/config.ts';
import { type ListenAddress, urlHost } from '../config/listen-address.ts';
import { acceptWaiting } from './accept-waiting.ts';
import { type AcceptConnections, bindServer } from './bind-server.ts';
import { createHttpServer, type TlsFiles } from './http-server.ts';
import { type FullReport, trackConnections } from './open-connections.ts';
import { ProblemError } from './problem.ts';
import { peerAddress } from './proxy-protocol.ts';
import { createQueuedAnswers } from './queued-answers.ts';
import { endWithProblem } from './raw-answer.ts';
import { problemReply, sendReply } from './reply.ts';
import { findHeadProblem } from './request-head.ts';
import { asksForWebSocket, asOrdinaryRequest, hasSeparateBody, type Upgrades } from './upgrade-requests.ts';

export interface Listener {
  /** The real address. Port 0 is replaced by the assigned port. */
  readonly address: { readonly host: string; readonly port: number };
  /** Sets the certificate for new connections, when the listener was opened with one. */
  setTls(files: TlsFiles): void;
  /**
   * Stops accepting connections, lets running answers finish, then closes the rest.
   * @param withinMs The time for this. Default: `drain_timeout`.
   */
  close(withinMs?: number): Promise<void>;
}

export interface ListenerOptions {
  readonly listen: ListenAddress;
  readonly limits: ServerConfig;
  /** Answers every request with a valid head. Must not throw. The handler itself sends `100 Continue` (`Expect`). */
  readonly handler: RequestListener;
  /** The longest silence of a connection with a running request. 0 means no limit, for streams. */
  readonly quietTimeoutMs?: number;
  readonly tls?: TlsFiles;
  /** Whether a peer at this address must speak the PROXY protocol. */
  readonly speaksProxyProtocol?: (address: string) => boolean;
  /** The handler of upgrades. Without it, a request for an upgrade gets an ordinary answer. */
  readonly upgrades?: Upgrades;
  /** Accepts connections for the listener. Left out: the listener accepts connections itself. */
  readonly accept?: AcceptConnections | undefined;
  /** The keys of TLS session tickets, for TLS in several processes. */
  readonly ticketKeys?: Buffer | undefined;
  /** Whether a trusted proxy is at this address: many clients share its connections. Left out: no proxy is. */
  readonly isProxy?: (address: string) => boolean;
  /** Called at most once a minute while the limit of connections is reached. */
  readonly onFull?: (report: FullReport) => void;
}

const QUIET_TIMEOUT_MS = 120_000;
/**
 * The share of the closing time for accepting waiting connections. It is limited, so that new clients do not delay the
 * end.
 */
const SHARE_TO_CATCH_UP = 0.5;

/**
 * Opens an HTTP/1.1 listener that enforces every limit. Every refusal is a problem document, even a refusal by Node's
 * parser. The handler decides what the requests mean.
 * @throws ListenError when the address cannot be bound.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { limits, handler, upgrades } = options;
  const queuedAnswers = createQueuedAnswers();
  const refused = new WeakSet<Duplex>();
  /** Requests for another protocol that Node serves as ordinary ones: it drops the bytes behind them. */
  const lastRequests = new WeakSet<IncomingMessage>();
  /** Connections on which the upgrade fields of the request were removed before Node reads it again. */
  const withoutUpgrade = new WeakSet<Duplex>();
  let closing: Promise<void> | null = null;
  let refusesAll = false;

  const { server, connectionEvent, readRequests, admit, setTls } = createHttpServer({
    limits,
    tls: options.tls ?? null,
    ticketKeys: options.ticketKeys ?? null,
    speaksProxyProtocol: options.speaksProxyProtocol ?? null,
    emitsUpgrade: upgrades
      ? (request) => {
          if (!hasSeparateBody(request)) return true;
          lastRequests.add(request);
          return false;
        }
      : null,
  });
  server.timeout = options.quietTimeoutMs ?? QUIET_TIMEOUT_MS;
  const connections = trackConnections(server, {
    limit: limits.max_connections,
    connectionEvent,
    isProxy: options.isProxy ?? (() => false),
    onFull: options.onFull ?? null,
  });
  const newestAnswer = (socket: Duplex) => connections.all.get(socket)?.answer ?? null;

  /**
   * A proxy that asks for another protocol may pass on all that follows without reading it (Varnish `pipe`): a further
   * request could name any client address in the proxy's header, so the answer ends the connection.
   */
  const mayComeThroughTunnel = ({ headers, socket }: IncomingMessage) =>
    (headers.upgrade !== undefined || withoutUpgrade.has(socket)) &&
    (options.isProxy?.(peerAddress(socket)) ?? false);

  const serve = (request: IncomingMessage, response: ServerResponse, problem: ProblemError | null) => {
    const connection = connections.all.get(request.socket);
    // It was closed: to make room for others, or because too many requests came on it.
    if (!connection || request.socket.destroyed) return;
    const earlier = connection.answer;
    // The earlier answer ends the connection (RFC 9112 section 9.6), so this request would be carried out without an answer.
    if (earlier && !earlier.shouldKeepAlive) {
      queuedAnswers.drop(request.socket);
      return;
    }
    if (earlier && !earlier.writableFinished) queuedAnswers.add(request.socket, response);
    connection.answer = response;
    connection.isUpgraded = false;
    if (closing || lastRequests.has(request) || mayComeThroughTunnel(request))
      response.shouldKeepAlive = false;
    if (problem) refuse(request, response, problem);
    else handler(request, response);
  };
  const findRefusal = (request: IncomingMessage): ProblemError | null => {
    if (refusesAll) return shuttingDown();
    return findHeadProblem(request, limits.max_header_lines);
  };
  for (const event of ['request', 'checkContinue'])
    server.on(event, (request, response) => serve(request, response, findRefusal(request)));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const problem = new ProblemError('expectation_failed', 'The only supported expectation is 100-continue.');
    serve(request, response, problem);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    refuseRaw(socket, new ProblemError('bad_request', 'This server is not a forward proxy.'));
  });
  if (upgrades) {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      whenAnswered(socket, () => {
        const connection = connections.all.get(socket);
        if (connection) {
          connection.answer = null;
          connection.isUpgraded = true;
        }
        socket.setTimeout(0);
        if (asksForWebSocket(request) && !findRefusal(request) && upgrades.accepts(request)) {
          upgrades.join(request, socket, head);
        } else {
          withoutUpgrade.add(socket);
          asOrdinaryRequest(request, { socket, head, readRequests });
        }
      });
    });
  }
  /** Earlier requests on the connection are answered first. Node has already detached the connection at this point. */
  function whenAnswered(socket: Socket, next: () => void): void {
    const earlier = newestAnswer(socket);
    if (!earlier || earlier.writableFinished) {
      next();
      return;
    }
    const destroy = () => void socket.destroy();
    socket.on('error', destroy);
    earlier.once('close', () => {
      socket.off('error', destroy);
      if (socket.writable) next();
    });
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (refused.has(socket)) return;
    const response = newestAnswer(socket);
    if (!socket.writable) {
      socket.destroy();
    } else if (!response || response.writableFinished) {
      refuseRaw(socket, parserProblem(error));
    } else if (response.req.complete) {
      // An earlier request is still being answered. The invalid request waits for that answer.
      response.once('close', () => refuseRaw(socket, parserProblem(error)));
    } else if (response.headersSent) {
      socket.destroy();
    } else {
      refuseRaw(socket, parserProblem(error));
    }
  });

  function refuseRaw(socket: Duplex, problem: ProblemError): void {
    refused.add(socket);
    endWithProblem(socket, problem);
  }

  async function close(withinMs: number): Promise<void> {
    const timer = setTimeout(connections.destroyAll, withinMs);
    for (const { answer } of connections.all.values()) {
      if (answer && !answer.headersSent) answer.shouldKeepAlive = false;
    }
    await acceptWaiting(connections.acceptedCount, withinMs * SHARE_TO_CATCH_UP);
    refusesAll = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, { answer, isUpgraded }] of connections.all) {
      if (isUpgraded || !answer || answer.writableFinished) socket.destroy();
      else if (answer.headersSent) answer.once('close', () => socket.end());
    }
    await Promise.all([closed, connections.untilEmpty()]);
    clearTimeout(timer);
  }

  const address = await bindServer(server, {
    listen: options.listen,
    accept: options.accept,
    admit,
  });
  return {
    address,
    setTls: (files) => setTls?.(files),
    close: (withinMs = limits.drain_timeout) => {
      closing ??= close(withinMs);
      return closing;
    },
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: ProblemError): void {
  response.shouldKeepAlive = false;
  sendReply(request, response, problemReply(problem, randomUUID()));
}

function shuttingDown(): ProblemError {
  return new ProblemError('shutting_down', 'The server is shutting down; ask again.', {
    retryAfterSeconds: 1,
  });
}

/** The reason why Node's parser failed, as a fixed text. Node's own text quotes the input. */
function parserProblem(error: NodeJS.ErrnoException): ProblemError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new ProblemError('header_too_large', 'The head of the request is too large.');
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError('request_timeout', 'The head of the request did not arrive in time.');
  }
  return new ProblemError('bad_request', 'The request cannot be read as HTTP/1.1.');
}

/** `http://host:port` of a listener, with IPv6 addresses in brackets. */
export function listenerUrl({ host, port }: Listener['address'], isSecure = false): string {
  return `${isSecure ? 'https' : 'http'}://${urlHost(host)}:${port}`;
}
