import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createSharedDoors, type Receiver } from '../../src/workers/shared-doors.ts';
import { createWaitingConnections } from '../../src/workers/waiting-connections.ts';
import { until } from '../helpers/until.ts';

async function connectFrom(t: ExecutionContext, port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('while a worker is busy, a client elsewhere does not wait behind the connections of a flood', async (t) => {
  const taken: string[] = [];
  const answers: (() => void)[] = [];
  const call = (_name: string, _door: unknown, socket?: Socket) =>
    new Promise<void>((answer) => {
      taken.push(socket?.remoteAddress ?? '');
      answers.push(answer);
    });
  const busy: Receiver = { channel: { call: call as Receiver['channel']['call'] } };
  const doors = createSharedDoors(() => [busy]);
  const { port } = await doors.open('api', { host: '127.0.0.1', port: 0 });
  t.teardown(() => doors.close(100));
  for (let i = 0; i < 20; i++) await connectFrom(t, port, '127.0.0.1');
  await connectFrom(t, port, '127.0.0.2');
  await until(() => taken.length > 0);
  while (taken.length < 21) {
    answers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const place = taken.indexOf('127.0.0.2') + 1;
  t.true(place > 0 && place <= 7, `taken as number ${place} of 21`);
});

function connection(from: string) {
  const socket = { remoteAddress: from, isOpen: true, destroy: () => (socket.isOpen = false) };
  return { door: 'gate' as const, socket: socket as unknown as Socket, isOpen: () => socket.isOpen };
}

test('at the limit, the client with most connections loses its newest one', (t) => {
  const waiting = createWaitingConnections(3);
  const flood = [1, 2, 3].map(() => connection('203.0.113.9'));
  const other = connection('198.51.100.7');
  for (const each of [...flood, other]) waiting.add(each);
  t.deepEqual(
    [...flood, other].map(({ isOpen }) => isOpen()),
    [true, true, false, true],
  );
  t.is(waiting.size, 3);
  t.deepEqual(
    [waiting.next(), waiting.next(), waiting.next(), waiting.next()],
    [flood[0], other, flood[1], undefined],
  );
});

test('a connection that a worker did not take comes first in the turn of its client', (t) => {
  const waiting = createWaitingConnections(3);
  const [one, two] = [connection('2001:db8::1'), connection('2001:db8::2')];
  waiting.add(one);
  waiting.add(two);
  const first = waiting.next();
  t.is(first, one);
  waiting.addAgain(one);
  t.deepEqual([waiting.next(), waiting.next()], [one, two], 'addresses of one /64 are one client');
});
