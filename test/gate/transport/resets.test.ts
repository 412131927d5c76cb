import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { readUpToReset } from '../../../src/gate/transport/open-upstream-connection.ts';

/** A socket, and its peer, which has unread bytes: so a close of the peer is a reset. */
async function openPair(t: ExecutionContext): Promise<{ socket: Socket; peer: Socket }> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  const [peer] = (await once(server, 'connection')) as [Socket];
  readUpToReset(socket);
  await new Promise((resolve) => socket.write('the beginning of an upload', resolve));
  return { socket, peer };
}

/** What is read, and how the reading ends. */
function readAll(socket: Socket): Promise<readonly [answer: string, end: string]> {
  return new Promise((resolve) => {
    let answer = '';
    socket
      .on('data', (chunk) => {
        answer += chunk;
      })
      .on('end', () => resolve([answer, 'end']))
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve([answer, String(code)]));
  });
}

/** The code of undici for a connection that has ended. */
const RESET = 'UND_ERR_SOCKET';

for (const pieces of [[], ['more'], ['more', 'and more']]) {
  test(`bytes that the peer has sent before its reset are read, and are no clean end: ${pieces.length} failed writes`, async (t) => {
    const { socket, peer } = await openPair(t);
    peer.write('too large');
    peer.destroy();
    socket.cork();
    for (const piece of pieces) socket.write(piece);
    socket.uncork();
    t.deepEqual(await readAll(socket), ['too large', RESET]);
  });
}

test('a peer that ends and then resets has ended cleanly', async (t) => {
  const { socket, peer } = await openPair(t);
  peer.end('too large');
  await once(peer, 'finish');
  peer.destroy();
  t.deepEqual(await readAll(socket), ['too large', 'end']);
});
