import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { chooseToClose, type OpenConnection } from './crowded-connections.ts';
import { noteAccepted } from './event-loop.ts';

/** What the limit of connections cost since the last report. */
export interface FullReport {
  readonly limit: number;
  /** Connections that were closed to make room. */
  readonly closed: number;
  /** New connections that found no room. */
  readonly refused: number;
}

/** Writes reports to the log of the process. */
export function logFull(
  log: { warn(fields: object, message: string): void },
  door: 'gate' | 'api' | 'dashboard',
): (report: FullReport) => void {
  return ({ limit, closed, refused }) =>
    log.warn(
      { door, limit, closed, refused },
      'server.max_connections is reached: waiting connections are closed for new ones',
    );
}

export interface TrackOptions {
  readonly limit: number;
  /** The event of the server for a connection on which requests may arrive. */
  readonly connectionEvent: 'connection' | 'secureConnection';
  /** Whether many clients may share the connections from this address. */
  readonly isProxy: (address: string) => boolean;
  /** Called at most once a minute while the limit is reached. */
  readonly onFull: ((report: FullReport) => void) | null;
}

export interface OpenConnections {
  /** In the order in which they were opened. */
  readonly all: ReadonlyMap<Duplex, OpenConnection>;
  /** The number of connections that were accepted until now. */
  acceptedCount(): number;
  destroyAll(): void;
  /** Resolves when none is open. */
  untilEmpty(): Promise<void>;
}

const REPORT_EVERY_MS = 60_000;
/** After a search in vain: the shortest pause, and the pause as a multiple of the time of the search. */
const SEARCH_AGAIN_AFTER_MS = 100;
const PAUSE_BY_SEARCH_TIME = 50;

/**
 * Keeps the connections of a server, and makes room at their limit. If it refused new connections there, one client
 * with many idle connections could turn everybody away.
 */
export function trackConnections(server: Server, options: TrackOptions): OpenConnections {
  const { limit, connectionEvent, isProxy, onFull } = options;
  const all = new Map<Duplex, OpenConnection>();
  /** A TLS socket does not know its raw connection; the remote port identifies it. */
  const handshakes = new Map<string, Socket>();
  let accepted = 0;
  let whenEmpty = () => {};
  let searchAgainAt = 0;
  let reportAgainAt = 0;
  const costs = { closed: 0, refused: 0 };

  server.on('connection', (socket: Socket) => {
    accepted++;
    noteAccepted();
    add(socket);
    if (connectionEvent === 'secureConnection') {
      const name = nameOf(socket);
      handshakes.set(name, socket);
      socket.once('close', () => {
        if (handshakes.get(name) === socket) handshakes.delete(name);
      });
    }
    if (all.size > limit) makeRoom(socket);
  });
  if (connectionEvent === 'secureConnection') {
    server.on(connectionEvent, (socket: Socket) => {
      const raw = handshakes.get(nameOf(socket));
      add(socket);
      if (raw) all.delete(raw);
    });
  }

  function add(socket: Socket): void {
    all.set(socket, { socket, openedAt: performance.now(), answer: null, isUpgraded: false });
    socket.once('close', () => remove(socket));
  }

  function remove(socket: Socket): void {
    all.delete(socket);
    if (all.size === 0) whenEmpty();
  }

  function makeRoom(newcomer: Socket): void {
    const now = performance.now();
    const chosen =
      now < searchAgainAt ? [] : chooseToClose({ connections: [...all.values()], newcomer, now, isProxy });
    if (chosen.length === 0 && now >= searchAgainAt) {
      const tookMs = performance.now() - now;
      searchAgainAt = now + Math.max(SEARCH_AGAIN_AFTER_MS, tookMs * PAUSE_BY_SEARCH_TIME);
    }
    for (const socket of chosen) end(socket);
    costs.closed += chosen.length;
    if (chosen.length === 0) {
      end(newcomer);
      costs.refused++;
    }
    if (now < reportAgainAt) return;
    reportAgainAt = now + REPORT_EVERY_MS;
    onFull?.({ limit, closed: costs.closed, refused: costs.refused });
    costs.closed = 0;
    costs.refused = 0;
  }

  /** Its room is free at once, and its socket a moment later. */
  function end(socket: Socket): void {
    socket.destroy();
    remove(socket);
  }

  return {
    all,
    acceptedCount: () => accepted,
    destroyAll() {
      for (const socket of all.keys()) socket.destroy();
    },
    untilEmpty: () =>
      new Promise((resolve) => {
        whenEmpty = resolve;
        if (all.size === 0) resolve();
      }),
  };
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
