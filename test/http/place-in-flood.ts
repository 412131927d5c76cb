import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { until } from '../helpers/until.ts';

export interface Flood {
  readonly port: number;
  /** Sent on each of so many connections at once. */
  readonly payload: string;
  readonly count: number;
  /** Sent on one more connection, right behind all others. */
  readonly last: string;
  /** The address of that connection; the others come from 127.0.0.1. */
  readonly lastFrom?: string;
}

/** Sends a flood and one request behind it. @returns how many answers came up to the one to the last request. */
export async function placeInFlood(t: ExecutionContext, flood: Flood): Promise<number> {
  const { port, payload, count, last, lastFrom = '127.0.0.1' } = flood;
  const sockets: Socket[] = [];
  for (let i = 0; i <= count; i++) {
    const socket = connect({ port, host: '127.0.0.1', ...(i === count && { localAddress: lastFrom }) });
    sockets.push(socket.on('error', () => {}));
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
  }
  const answered: number[] = [];
  sockets.forEach((socket, i) => {
    socket.once('data', () => answered.push(i));
    socket.write(i === count ? last : payload);
  });
  await until(() => answered.includes(count));
  return answered.indexOf(count) + 1;
}
