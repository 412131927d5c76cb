import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test from 'ava';
import { openSlowSockets } from '../../bench/slow-sockets.ts';

test('the requested number of slow sockets stays open, and ended ones are opened again', async (t) => {
  const open = new Set<Socket>();
  let connections = 0;
  let lastBytes = 0;
  const server = createServer((socket) => {
    connections++;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      if (chunk.toString() === 'a') lastBytes++;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const slow = await openSlowSockets((server.address() as AddressInfo).port, 250);
  t.teardown(() => slow.close());
  while (connections < 250 || lastBytes === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(open.size, 250);
  t.is(slow.reopened(), 0);
  const [first] = open;
  first?.destroy();
  while (connections < 251) await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(slow.reopened(), 1);
  slow.close();
  while (open.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(connections, 251);
});
