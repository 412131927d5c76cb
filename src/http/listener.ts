import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerConfig } from '../config/config.ts';
import type { ListenAddress } from '../config/listen-address.ts';
import { findHeadProblem } from './head-checks.ts';
import { PROBLEMS, ProblemError, problemDocument, problemHeaders } from './problem.ts';
import { problemReply, sendReply } from './reply.ts';

export interface Listener {
  /** Where it really listens: port 0 has become a number. */
  readonly address: { readonly host: string; readonly port: number };
  /** Stops accepting, lets running answers finish within `drain_timeout`, then ends what is left. */
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly listen: ListenAddress;
  readonly limits: ServerConfig;
  /** Answers every request whose head is sound. Must not throw. Asks for a body held back (`Expect`) by itself. */
  readonly handler: RequestListener;
  /** How long a connection with a request in flight may be silent; 0: for ever, for streams. */
  readonly quietTimeoutMs?: number;
}

/** Slow heads are looked for this often; with Node's own 30 s a limit of 2 s would hold only after 30. */
const CHECK_CONNECTIONS_EVERY_MS = 1_000;
/** How long a refused connection stays half open, so that the refusal is read before the reset. */
const LINGER_MS = 1_000;
const QUIET_TIMEOUT_MS = 120_000;

/**
 * Opens an HTTP/1.1 listener on which every limit holds and every refusal is a problem document, those of Node's
 * parser too. What the requests mean is the handler's business.
 *
 * @throws when the address cannot be bound.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { limits, handler } = options;
  /** Every open connection, and the newest answer on it. */
  const connections = new Map<Duplex, ServerResponse | null>();
  const refused = new WeakSet<Duplex>();
  let closing: Promise<void> | null = null;

  const server = createServer({
    maxHeaderSize: limits.max_head,
    headersTimeout: limits.head_timeout,
    keepAliveTimeout: limits.idle_timeout,
    // Bodies are timed by whoever reads them: a fixed time would end a long upload that moves.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECK_CONNECTIONS_EVERY_MS,
    requireHostHeader: false,
  });
  // Node silently drops lines above its limit; here they are bounded by the head's size, then counted and refused.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.max_connections;
  server.timeout = options.quietTimeoutMs ?? QUIET_TIMEOUT_MS;

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    connections.set(request.socket, response);
    const problem = closing ? shuttingDown() : findHeadProblem(request, limits.max_header_lines);
    if (problem) refuse(request, response, problem);
    else handler(request, response);
  };
  server.on('request', serve);
  server.on('checkContinue', serve);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    refuse(
      request,
      response,
      new ProblemError('expectation_failed', 'The only expectation is 100-continue.'),
    );
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    endWithProblem(socket, new ProblemError('bad_request', 'This server is no forward proxy.'));
  });
  server.on('connection', (socket: Socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (refused.has(socket)) return;
    const response = connections.get(socket);
    if (!socket.writable) {
      socket.destroy();
    } else if (!response || response.writableFinished) {
      endWithProblem(socket, parserProblem(error));
    } else if (response.req.complete) {
      // An earlier request is still being answered: the bad one behind it has to wait for its turn.
      response.once('close', () => endWithProblem(socket, parserProblem(error)));
    } else if (response.headersSent) {
      socket.destroy();
    } else {
      endWithProblem(socket, parserProblem(error));
    }
  });

  function endWithProblem(socket: Duplex, problem: ProblemError): void {
    refused.add(socket);
    if (!socket.writable) return;
    socket.end(rawAnswer(problem));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  }

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, response] of connections) {
      if (!response || response.writableFinished) socket.destroy();
      else if (response.headersSent) response.once('close', () => socket.end());
      else response.shouldKeepAlive = false;
    }
    const timer = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, limits.drain_timeout);
    await closed;
    clearTimeout(timer);
  }

  await bind(server, options.listen);
  const { address, port } = server.address() as AddressInfo;
  return {
    address: { host: address, port },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function bind(server: ReturnType<typeof createServer>, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for good: accept() that fails for want of file descriptors comes here too, and costs that connection alone.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const hint =
        error.code === 'EADDRINUSE'
          ? 'something else listens there; stop it or choose another port'
          : (error.code ?? error.message);
      reject(new Error(`Cannot listen on ${host}:${port}: ${hint}.`, { cause: error }));
    });
    server.listen({ host, port }, resolve);
  });
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

/** Why Node's parser gave up, in our words; its own name pieces of the input. */
function parserProblem(error: NodeJS.ErrnoException): ProblemError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new ProblemError('header_too_large', 'The head of the request is too large.');
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError('request_timeout', 'The head of the request did not arrive in time.');
  }
  return new ProblemError('bad_request', 'The request cannot be read as HTTP/1.1.');
}

/** A whole answer for a connection on which Node has made no response object. */
function rawAnswer(problem: ProblemError): string {
  const body = problemDocument(problem, randomUUID());
  const fields = [
    ...problemHeaders(problem),
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Connection',
    'close',
  ];
  const lines = fields.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${fields[i + 1]}`] : []));
  const { status, title } = PROBLEMS[problem.code];
  return `HTTP/1.1 ${status} ${title.replace(/\.$/, '')}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
