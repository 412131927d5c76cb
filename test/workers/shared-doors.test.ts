import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { ListenError } from '../../src/http/listen-error.ts';
import { StorageAwayError } from '../../src/storage/storage-error.ts';
import { createSharedDoors } from '../../src/workers/shared-doors.ts';

type Receiver = ReturnType<Parameters<typeof createSharedDoors>[0]>[number];

interface GreetingReceiver extends Receiver {
  taken: number;
  isEnded: boolean;
}

/** A worker that greets each connection, or fails as one that has ended. */
function receiverOf(greeting: string): GreetingReceiver {
  async function call(_name: string, _door: unknown, socket?: Socket): Promise<void> {
    if (receiver.isEnded) throw new StorageAwayError('ended');
    receiver.taken++;
    await new Promise<void>((resolve) => socket?.write(greeting, () => resolve()));
  }
  const receiver = { taken: 0, isEnded: false, channel: { call: call as Receiver['channel']['call'] } };
  return receiver;
}

async function open(t: ExecutionContext, receivers: GreetingReceiver[]) {
  const doors = createSharedDoors(() => receivers);
  const { port } = await doors.open('api', { host: '127.0.0.1', port: 0 });
  t.teardown(() => doors.close(100));
  const greeted = async () => {
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return String(chunk);
  };
  return { doors, port, greeted };
}

test('connections go to the workers in turn', async (t) => {
  const receivers = [receiverOf('a'), receiverOf('b')];
  const { greeted } = await open(t, receivers);
  for (let i = 0; i < 10; i++) await greeted();
  t.deepEqual(
    receivers.map(({ taken }) => taken),
    [5, 5],
  );
});

test('a new worker gets connections until it has as many open ones as the others', async (t) => {
  const receivers = [receiverOf('a')];
  const { greeted } = await open(t, receivers);
  for (let i = 0; i < 4; i++) await greeted();
  receivers.push(receiverOf('b'));
  for (let i = 0; i < 4; i++) t.is(await greeted(), 'b', `connection ${i}`);
  t.deepEqual([await greeted(), await greeted()].sort(), ['a', 'b']);
});

test('connections that have ended do not count', async (t) => {
  const [a, b] = [receiverOf('a'), receiverOf('b')];
  const { doors, greeted } = await open(t, [a, b]);
  for (let i = 0; i < 6; i++) await greeted();
  doors.closed(a, 3);
  for (let i = 0; i < 3; i++) t.is(await greeted(), 'a', `connection ${i}`);
  doors.closed(b, 100);
  for (let i = 0; i < 3; i++) t.is(await greeted(), 'b', 'a count never falls below zero');
  t.deepEqual([await greeted(), await greeted()].sort(), ['a', 'b']);
});

test('a connection that a worker did not take goes to another one', async (t) => {
  const receivers = [receiverOf('a'), receiverOf('b')];
  const { greeted } = await open(t, receivers);
  for (const receiver of receivers.slice(0, 1)) receiver.isEnded = true;
  for (let i = 0; i < 4; i++) t.is(await greeted(), 'b');
});

test('a worker that has ended and is still listed is not asked again, and other work goes on', async (t) => {
  let asked = 0;
  const ended = receiverOf('ended');
  ended.isEnded = true;
  const { call } = ended.channel;
  ended.channel.call = ((...args: Parameters<typeof call>) => {
    // A loop without a turn of the event loop would never come back.
    if (++asked > 1_000) throw new Error('asked again and again');
    return call(...args);
  }) as typeof call;
  const receivers = [ended];
  const { doors, greeted } = await open(t, receivers);
  const waiting = [greeted(), greeted()];
  while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
  receivers.push(receiverOf('new'));
  t.is(await greeted(), 'new');
  doors.distribute();
  t.deepEqual(await Promise.all(waiting), ['new', 'new']);
  t.true(asked <= 2, `asked ${asked} times`);
});

test('a connection waits for the first worker', async (t) => {
  const receivers: GreetingReceiver[] = [];
  const { doors, greeted } = await open(t, receivers);
  const waiting = [greeted(), greeted()];
  const late = receiverOf('late');
  receivers.push(late);
  while (late.taken < waiting.length) {
    doors.distribute();
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.deepEqual(await Promise.all(waiting), ['late', 'late']);
});

test('a door is opened once and keeps its address', async (t) => {
  const { doors, port } = await open(t, [receiverOf('a')]);
  t.is((await doors.open('api', { host: '127.0.0.1', port: 0 })).port, port);
  t.not((await doors.open('dashboard', { host: '127.0.0.1', port: 0 })).port, port);
});

test('an address in use fails with the error of the system, and is tried again by the next call', async (t) => {
  const { port } = await open(t, [receiverOf('a')]);
  const { doors } = await open(t, [receiverOf('a')]);
  const listen = { host: '127.0.0.1', port };
  const error = await t.throwsAsync<NodeJS.ErrnoException>(doors.open('dashboard', listen));
  t.is(error?.code, 'EADDRINUSE');
  t.true(doors.failure instanceof ListenError);
  t.not((await doors.open('dashboard', { ...listen, port: 0 })).port, port);
});

test('after the end, connections are refused', async (t) => {
  const { doors, port } = await open(t, [receiverOf('a')]);
  await doors.close(1_000);
  const socket = connect(port, '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  t.is(error.code, 'ECONNREFUSED');
});
