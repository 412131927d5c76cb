import type { AddressInfo, Server, Socket } from 'node:net';
import type { ListenAddress } from '../config/listen-address.ts';
import { ListenError } from './listen-error.ts';

/**
 * Another process accepts the connections at that address and passes each one on with `admit`.
 *
 * @returns the real address.
 */
export type AcceptConnections = (
  listen: ListenAddress,
  admit: (socket: Socket) => void,
) => Promise<ListenAddress>;

export interface BindOptions {
  readonly listen: ListenAddress;
  /** Left out: the server accepts connections itself. */
  readonly accept: AcceptConnections | undefined;
  /** Serves a connection that another process accepted. */
  readonly admit: (socket: Socket) => void;
}

/**
 * The limit of connections that wait to be accepted. It is higher than a burst of slow clients needs. The system may
 * allow fewer.
 */
export const BACKLOG = 4_096;

/**
 * Gives the server its connections.
 *
 * @returns the real address: port 0 is replaced by the assigned port.
 * @throws ListenError when the address cannot be bound.
 */
export async function bindServer(
  server: Server,
  { listen, accept, admit }: BindOptions,
): Promise<ListenAddress> {
  if (!accept) return await bind(server, listen);
  try {
    const address = await accept(listen, admit);
    // After this event, Node checks for slow request heads.
    server.emit('listening');
    return address;
  } catch (error) {
    throw new ListenError(listen, error as NodeJS.ErrnoException);
  }
}

function bind(server: Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    // The listener stays: a failed accept() without free file descriptors also causes this event, and affects that
    // connection only.
    server.on('error', (error) => reject(new ListenError({ host, port }, error)));
    server.listen({ host, port, backlog: BACKLOG }, () => {
      const { address, port: bound } = server.address() as AddressInfo;
      resolve({ host: address, port: bound });
    });
  });
}
