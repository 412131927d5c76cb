import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test from 'ava';
import { readPastRefusedWrites } from '../../../src/gate/transport/refused-writes.ts';

for (const pieces of [['more'], ['more', 'and more']]) {
  test(`an answer that the peer has sent before its reset is read, although a write fails: ${pieces.length}`, async (t) => {
    // A paused peer has unread bytes, so its close is a reset.
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [peer] = (await once(server, 'connection')) as [Socket];
    readPastRefusedWrites(socket);
    await new Promise((resolve) => socket.write('the beginning of an upload', resolve));
    peer.write('too large');
    peer.destroy();
    socket.cork();
    for (const piece of pieces) socket.write(piece);
    socket.uncork();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await once(socket, 'end');
    t.is(answer, 'too large');
    socket.end();
    socket.destroy();
  });
}
