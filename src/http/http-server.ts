import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from './problem.ts';
import { peerAddress, readProxyHeader, setPeerAddress } from './proxy-protocol.ts';
import { endWithProblem } from './raw-answer.ts';

/** PEM, as read from their files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface HttpServerOptions {
  readonly limits: ServerConfig;
  readonly tls: TlsFiles | null;
  /** Whether a peer speaks the PROXY protocol, and then must; null where nobody does. */
  readonly speaksProxyProtocol: ((address: string) => boolean) | null;
}

export interface HttpServer {
  readonly server: Server;
  /** Emitted by `server` for each connection on which requests may come. */
  readonly connectionEvent: 'connection' | 'secureConnection';
  /** Reads requests from a connection, once more when it was taken off Node's hands. */
  readonly readRequests: (socket: Socket) => void;
  /** For connections from now on. Null where the server speaks plain HTTP. */
  readonly setTls: ((files: TlsFiles) => void) | null;
}

/** Slow heads are looked for this often; with Node's own 30 s a limit of 2 s would hold only after 30. */
const CHECK_CONNECTIONS_EVERY_MS = 1_000;

/** A server of node:http or node:https on which the limits hold, and which may be told by a proxy who its clients are. */
export function createHttpServer({ limits, tls, speaksProxyProtocol }: HttpServerOptions): HttpServer {
  const options = {
    maxHeaderSize: limits.max_head,
    headersTimeout: limits.head_timeout,
    keepAliveTimeout: limits.idle_timeout,
    // Bodies are timed by whoever reads them: a fixed time would end a long upload that moves.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECK_CONNECTIONS_EVERY_MS,
    requireHostHeader: false,
  };
  const tlsServer = tls
    ? createTlsServer({
        ...options,
        ...tls,
        ALPNProtocols: ['http/1.1'],
        handshakeTimeout: limits.head_timeout,
      })
    : null;
  // A handshake that fails is between the client and its certificates.
  tlsServer?.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  const server = tlsServer ?? createServer(options);
  // Node silently drops lines above its limit; here they are bounded by the head's size, then counted and refused.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.max_connections;

  const connectionEvent = tlsServer ? 'secureConnection' : 'connection';
  const [read] = server.listeners(connectionEvent);
  if (speaksProxyProtocol)
    takeProxyHeaders(server, tlsServer, { speaksProxyProtocol, timeoutMs: limits.head_timeout });
  return {
    server,
    connectionEvent,
    readRequests: (socket) => read?.call(server, socket),
    setTls: tlsServer && ((files) => tlsServer.setSecureContext({ ...files })),
  };
}

interface ProxyHeaderOptions {
  readonly speaksProxyProtocol: (address: string) => boolean;
  readonly timeoutMs: number;
}

/** Puts the reading of the PROXY header before Node's own listener for new connections. */
function takeProxyHeaders(server: Server, tlsServer: TlsServer | null, options: ProxyHeaderOptions): void {
  const accepting = server.listeners('connection');
  server.removeAllListeners('connection');
  const accept = (socket: Socket) => {
    for (const listener of accepting) listener.call(server, socket);
  };
  /** TLS sockets do not say on which connection they stand; the other end's port does. */
  const named = new Map<string, string>();
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

  server.on('connection', (socket: Socket) => {
    if (!options.speaksProxyProtocol(socket.remoteAddress ?? '')) {
      accept(socket);
      return;
    }
    readProxyHeader(socket, options.timeoutMs, (problem) => {
      if (problem !== null) {
        if (tlsServer) socket.destroy();
        else endWithProblem(socket, new ProblemError('bad_request', problem));
        return;
      }
      if (tlsServer) {
        const name = nameOf(socket);
        named.set(name, peerAddress(socket));
        socket.once('close', () => named.delete(name));
      }
      accept(socket);
    });
  });
  tlsServer?.prependListener('secureConnection', (socket: TLSSocket) => {
    const source = named.get(nameOf(socket));
    if (source !== undefined) setPeerAddress(socket, source);
  });
}
