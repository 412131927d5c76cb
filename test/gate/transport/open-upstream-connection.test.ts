import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import test from 'ava';
import { openUpstreamConnection } from '../../../src/gate/transport/open-upstream-connection.ts';
import { openRawApp } from './open-gate.ts';

test('a request whose connection is reset before it is written goes to a new one, whatever its method', async (t) => {
  const sockets: Socket[] = [];
  const methods: string[] = [];
  const port = await openRawApp(t, (socket) => {
    sockets.push(socket);
    socket.on('data', (chunk) => {
      const [method = ''] = chunk.toString().split(' ', 1);
      methods.push(method);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const { client } = openUpstreamConnection({
    origin: `http://127.0.0.1:${port}`,
    connectTimeoutMs: 20_000,
    onIdleEnd: () => {},
  });
  t.teardown(() => client.destroy());
  for (const method of ['GET', 'POST', 'PUT'] as const) {
    // The reset is read at the end of this tick, and undici writes in the next.
    await nextTick();
    sockets.at(-1)?.resetAndDestroy();
    const { statusCode, body } = await client.request({ method, path: '/' });
    t.is(statusCode, 200);
    await body.dump();
  }
  t.deepEqual(methods, ['GET', 'POST', 'PUT']);
  t.is(sockets.length, 3);
});
