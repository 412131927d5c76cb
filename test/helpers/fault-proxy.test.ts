import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openFaultProxy } from './fault-proxy.ts';

/** A server that answers each line with its own name and the line. */
async function openBackend(t: ExecutionContext, name = 'a') {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let line = '';
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      for (const whole of lines) socket.write(`${name}${whole}\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received: () => received };
}

/** A client that sends lines and keeps what it received. */
async function openClient(t: ExecutionContext, port: number) {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  let fault: string | undefined;
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    fault = error.code;
  });
  const closed = once(socket, 'close').catch(() => []);
  t.teardown(() => socket.destroy());
  await Promise.race([once(socket, 'connect').catch(() => []), closed]);
  return {
    say: (line: string) => socket.write(`${line}\n`),
    heard: () => heard,
    fault: () => fault,
    closed,
    end: () => socket.end(),
    async hears(text: string): Promise<void> {
      while (!heard.includes(text)) await once(socket, 'data');
    },
  };
}

async function open(t: ExecutionContext) {
  const backend = await openBackend(t);
  const proxy = await openFaultProxy(backend.port);
  t.teardown(() => proxy.close());
  const client = await openClient(t, proxy.port);
  client.say('hello');
  await client.hears('ahello');
  return { backend, proxy, client };
}

/** A message through another connection has come back: one on this connection could have, too. */
async function roundTrip(t: ExecutionContext, port: number): Promise<void> {
  const other = await openClient(t, port);
  other.say('round trip');
  await other.hears('round trip');
  other.end();
}

test('bytes pass both ways, and an end of one side reaches the other', async (t) => {
  const { proxy, client } = await open(t);
  client.say('x'.repeat(3_000_000));
  await client.hears(`a${'x'.repeat(3_000_000)}\n`);
  client.end();
  await client.closed;
  t.is(client.fault(), undefined);
  t.is(proxy.connections(), 0);
});

test('delayed answers come later, and in order even when the delay ends', async (t) => {
  const { backend, proxy, client } = await open(t);
  proxy.delay(1_000);
  client.say('first');
  await roundTrip(t, backend.port);
  t.false(client.heard().includes('first'));
  t.true(backend.received().includes('first\n'), 'requests are not delayed');
  proxy.delay(0);
  client.say('second');
  await client.hears('second');
  t.is(client.heard(), 'ahello\nafirst\nasecond\n');
});

test('a silent proxy accepts, says nothing, and delivers what it held afterwards', async (t) => {
  const { backend, proxy, client } = await open(t);
  await proxy.set('silent');
  const late = await openClient(t, proxy.port);
  client.say('held');
  late.say('late');
  await roundTrip(t, backend.port);
  t.is(late.fault(), undefined);
  t.deepEqual([client.heard(), late.heard()], ['ahello\n', '']);
  await proxy.set('pass');
  await Promise.all([client.hears('aheld'), late.hears('alate')]);
  t.is(client.heard(), 'ahello\naheld\n');
});

test('half-open connections stay silent while new ones pass', async (t) => {
  const { proxy, client } = await open(t);
  await proxy.set('half-open');
  client.say('lost');
  await roundTrip(t, proxy.port);
  await proxy.set('pass');
  await roundTrip(t, proxy.port);
  t.is(client.heard(), 'ahello\n');
  t.is(client.fault(), undefined);
});

test('a refusing proxy resets what is open and refuses what comes, then listens on the same port', async (t) => {
  const { proxy, client } = await open(t);
  await proxy.set('refuse');
  await client.closed;
  t.is(client.fault(), 'ECONNRESET');
  const refused = await openClient(t, proxy.port);
  t.is(refused.fault(), 'ECONNREFUSED');
  await proxy.set('pass');
  await roundTrip(t, proxy.port);
});

test('a cut resets open connections, and new ones pass', async (t) => {
  const { proxy, client } = await open(t);
  proxy.cut();
  await client.closed;
  t.is(client.fault(), 'ECONNRESET');
  await roundTrip(t, proxy.port);
});

test('a cut among the requests leaves the backend with a part of one', async (t) => {
  const { backend, proxy, client } = await open(t);
  proxy.cutAfter(8, 'requests');
  client.say('whole');
  await client.hears('awhole');
  client.say('broken');
  await client.closed;
  t.is(client.fault(), 'ECONNRESET');
  await roundTrip(t, proxy.port);
  t.is(backend.received(), 'hello\nwhole\nbrround trip\n');
});

test('a cut before the answer leaves the backend with a request that the client does not know of', async (t) => {
  const { backend, proxy, client } = await open(t);
  proxy.cutAfter(0, 'answers');
  client.say('in doubt');
  await client.closed;
  t.is(client.fault(), 'ECONNRESET');
  t.is(client.heard(), 'ahello\n');
  t.is(backend.received(), 'hello\nin doubt\n');
  await roundTrip(t, proxy.port);
});

test('new connections go to another backend, and open ones stay', async (t) => {
  const { proxy, client } = await open(t);
  const other = await openBackend(t, 'b');
  proxy.switchTo(other.port);
  client.say('here');
  await client.hears('ahere');
  const moved = await openClient(t, proxy.port);
  moved.say('there');
  await moved.hears('bthere');
  t.is(moved.heard().trim(), 'bthere');
});

test('a backend that is gone resets the client', async (t) => {
  const { proxy } = await open(t);
  const gone = await openFaultProxy(1);
  const { port } = gone;
  await gone.close();
  proxy.switchTo(port);
  const client = await openClient(t, proxy.port);
  client.say('hello');
  await client.closed;
  t.is(client.heard(), '');
  t.is(client.fault(), 'ECONNRESET');
});
