import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ServerConfig } from '../config/config.ts';
import { ProblemError } from './problem.ts';
import { peerAddress, readProxyHeader, setPeerAddress } from './proxy-protocol.ts';
import { endWithProblem } from './raw-answer.ts';

/** The content of the PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface HttpServerOptions {
  readonly limits: ServerConfig;
  readonly tls: TlsFiles | null;
  /**
   * Encrypts TLS session tickets, 48 bytes. With the same key, several processes behind one address resume the TLS
   * sessions of one another.
   */
  readonly ticketKeys: Buffer | null;
  /** Whether a peer must speak the PROXY protocol; null when no peer does. */
  readonly speaksProxyProtocol: ((address: string) => boolean) | null;
  /**
   * Asked for each request for another protocol: whether `server` emits `upgrade` for it, and not `request`. Node asks
   * since 22.21 and 24.9; before, it always emits `upgrade`. Null: always `request`.
   */
  readonly emitsUpgrade: ((request: IncomingMessage) => boolean) | null;
}

export interface HttpServer {
  readonly server: Server;
  /** The event that `server` emits for each connection on which requests may arrive. */
  readonly connectionEvent: 'connection' | 'secureConnection';
  /** Reads requests from a connection. Also used when the connection was detached from Node's server before. */
  readonly readRequests: (socket: Socket) => void;
  /** Serves a connection that the server did not accept itself. */
  readonly admit: (socket: Socket) => void;
  /** Sets the certificate for new connections. Null when the server speaks plain HTTP. */
  readonly setTls: ((files: TlsFiles) => void) | null;
}

/**
 * The interval of the check for slow heads. With Node's default of 30 s, a limit of 2 s would take effect only after 30
 * s.
 */
const CHECK_CONNECTIONS_EVERY_MS = 1_000;

/** A server of node:http or node:https that enforces the limits and accepts client addresses from a PROXY header. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { limits, tls, ticketKeys, speaksProxyProtocol, emitsUpgrade } = options;
  const settings = {
    maxHeaderSize: limits.max_head,
    headersTimeout: limits.head_timeout,
    keepAliveTimeout: limits.idle_timeout,
    // Without a timeout here: the reader of a body measures the time, and a fixed limit would end a long upload that
    // makes progress.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECK_CONNECTIONS_EVERY_MS,
    requireHostHeader: false,
    // Also when NODE_OPTIONS has --insecure-http-parser, for the sake of another program: a lenient parser accepts requests
    // that the upstream may split differently.
    insecureHTTPParser: false,
    ...(emitsUpgrade && { shouldUpgradeCallback: emitsUpgrade }),
  };
  const tlsServer = tls
    ? createTlsServer({
        ...settings,
        ...tls,
        ...(ticketKeys && { ticketKeys }),
        ALPNProtocols: ['http/1.1'],
        handshakeTimeout: limits.head_timeout,
      })
    : null;
  // A failed handshake is a problem of the client with certificates.
  tlsServer?.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  const server = tlsServer ?? createServer(settings);
  // Node silently drops header lines above its limit. Here only the size of the head limits them. Then they are
  // counted, and too many are refused.
  server.maxHeadersCount = 0;

  const connectionEvent = tlsServer ? 'secureConnection' : 'connection';
  const [read] = server.listeners(connectionEvent);
  if (speaksProxyProtocol)
    takeProxyHeaders(server, tlsServer, { speaksProxyProtocol, timeoutMs: limits.head_timeout });
  return {
    server,
    connectionEvent,
    readRequests: (socket) => read?.call(server, socket),
    admit: (socket) => admit(socket, tlsServer ?? server, tlsServer !== null),
    setTls:
      tlsServer &&
      ((files) => {
        tlsServer.setSecureContext({ ...files });
        if (ticketKeys) tlsServer.setTicketKeys(ticketKeys);
      }),
  };
}

/**
 * The same setting as for the server's own connections: over plain HTTP, a client that has closed its side for writing
 * still gets an answer.
 */
function admit(socket: Socket, server: Server | TlsServer, isTls: boolean): void {
  socket.allowHalfOpen = !isTls;
  server.emit('connection', socket);
  socket.resume();
}

interface ProxyHeaderOptions {
  readonly speaksProxyProtocol: (address: string) => boolean;
  readonly timeoutMs: number;
}

/** Reads the PROXY header before Node's own listener sees a new connection. */
function takeProxyHeaders(server: Server, tlsServer: TlsServer | null, options: ProxyHeaderOptions): void {
  const accepting = server.listeners('connection');
  server.removeAllListeners('connection');
  const accept = (socket: Socket) => {
    for (const listener of accepting) listener.call(server, socket);
  };
  /** A TLS socket does not know its raw connection; the remote port identifies it. */
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
