import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import type { ClientPace } from './client-pace.ts';

/** One connection to the upstream, lent to one request at a time. undici opens it again when it has ended. */
export interface UpstreamConnection {
  readonly client: Client;
  /** Requests written to the socket that is open now: counted by whoever writes them. */
  served: number;
  open: boolean;
  /** Nothing is asked on it, and we have not ended it: what ends it now is the upstream. */
  isIdle: boolean;
  idleSince: number;
  /** How long it had been idle when it was lent last. */
  idleMs: number;
  /** Lent for an upload that its sender has still to bring. */
  isPaced: boolean;
  /** Set by whoever it is lent to, while that one waits for its client. */
  stalled: ClientPace | null;
  /** Whether the operating system has taken everything that was written to the socket. */
  hasSentAll(): boolean;
}

/** Below the 5 s after which Node closes idle connections, the shortest of the common defaults that is not announced. */
const KEEP_ALIVE_MS = 4_000;
/** Answers with larger heads are refused with 502; nginx stops at 8 KB by default, Node's own client at 16. */
const MAX_ANSWER_HEAD_BYTES = 65_536;
export interface UpstreamConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** The upstream closed the connection while it was idle, after so long. */
  readonly onIdleEnd: (idleMs: number) => void;
}

/** Opens nothing yet: undici does when the first request comes. */
export function openUpstreamConnection(options: UpstreamConnectionOptions): UpstreamConnection {
  const { origin, onIdleEnd } = options;
  const { hostname } = new URL(origin);
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  const connect = buildConnector({ timeout: options.connectTimeoutMs });
  let socket: Socket | null = null;
  const client = new Client(origin, {
    // The name of the upstream, whatever Host a client sends: undici would take the certificate's name from that.
    connect: (target, callback) =>
      connect({ ...target, servername }, (...[error, opened]) => {
        socket = opened;
        if (opened) callback(null, opened);
        else callback(error, null);
      }),
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_ANSWER_HEAD_BYTES,
  });
  const connection: UpstreamConnection = {
    client,
    served: 0,
    open: false,
    isIdle: false,
    idleSince: 0,
    idleMs: 0,
    isPaced: false,
    stalled: null,
    hasSentAll: () => socket?.writableLength === 0,
  };
  client.on('connect', () => {
    connection.open = true;
    connection.served = 0;
  });
  client.on('disconnect', (_origin, _targets, error) => {
    connection.open = false;
    connection.served = 0;
    // undici's own word for a connection that it ended itself.
    if (connection.isIdle && error.code !== 'UND_ERR_INFO') onIdleEnd(idleMsOf(connection));
    connection.isIdle = false;
  });
  return connection;
}

export function idleMsOf({ idleSince }: UpstreamConnection): number {
  return performance.now() - idleSince;
}
