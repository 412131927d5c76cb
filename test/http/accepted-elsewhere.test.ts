import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { ServerConfig } from '../../src/config/config.ts';
import { ListenError } from '../../src/http/listen-error.ts';
import { openListener } from '../../src/http/listener.ts';
import { LIMITS } from './limits.ts';

/** A listener whose connections another server accepts and hands over, as between processes. */
async function open(t: ExecutionContext, limits: Partial<ServerConfig> = {}) {
  let admit: (socket: Socket) => void = () => {};
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => admit(socket));
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits: { ...LIMITS, ...limits },
    handler: (_request, response) => response.end('hello'),
    accept: async (listen, serve) => {
      admit = serve;
      server.listen(listen.port, listen.host);
      await once(server, 'listening');
      return { host: listen.host, port: (server.address() as AddressInfo).port };
    },
  });
  t.teardown(async () => {
    server.close();
    await listener.close(100);
  });
  return listener;
}

async function send(port: number, text: string, ends: boolean): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  if (ends) socket.end(text);
  else socket.write(text);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  await new Promise((resolve) => socket.on('end', resolve).on('close', resolve));
  socket.destroy();
  return Buffer.concat(chunks).toString();
}

test('a listener answers connections that were accepted elsewhere, and a client that has ended its side', async (t) => {
  const { address } = await open(t);
  const answer = await send(address.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', true);
  t.regex(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*hello$/);
});

test('the limit of slow heads holds for them', async (t) => {
  const { address } = await open(t, { head_timeout: 200 });
  t.regex(await send(address.port, 'GET / HT', false), /^HTTP\/1\.1 408 /);
});

test('the limit of connections holds for them', async (t) => {
  const { address } = await open(t, { max_connections: 1 });
  const first = connect(address.port, '127.0.0.1');
  t.teardown(() => first.destroy());
  first.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(first, 'data');
  const closed = once(first, 'close');
  t.regex(
    await send(address.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', false),
    /hello$/,
  );
  await closed;
});

test('closing waits for their running answers and ends the idle ones', async (t) => {
  const listener = await open(t);
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await listener.close(5_000);
  await closed;
  t.pass();
});

test('an address that cannot be bound is an error of the listener', async (t) => {
  const error = await t.throwsAsync(
    openListener({
      listen: { host: '127.0.0.1', port: 1 },
      limits: LIMITS,
      handler: () => {},
      accept: async () => {
        throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
      },
    }),
  );
  t.true(error instanceof ListenError && error.code === 'EADDRINUSE');
});
