import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { readRest } from '../../src/gate/read-rest.ts';
import { BodyAbortedError, readBodyStart } from '../../src/http/read-body.ts';
import { until } from '../helpers/until.ts';

const PACE = { timeoutMs: 5_000, minBytesPerSecond: 1_024 };
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Reads the rest of the body, one tick of the event loop for each piece, like a write to a file. */
async function read(t: ExecutionContext, send: (socket: Socket, pieces: readonly Buffer[]) => void) {
  const pieces: Buffer[] = [];
  const server = createServer();
  t.teardown(() => server.closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const done = new Promise<Error | null>((resolve) => {
    server.on('request', async (request, response) => {
      try {
        const { bytes } = await readBodyStart(request, response, { limitBytes: 10, ...PACE });
        pieces.push(bytes);
        for await (const piece of readRest(request, PACE)) {
          pieces.push(piece);
          await new Promise((next) => setImmediate(next));
        }
        resolve(null);
      } catch (error) {
        resolve(error as Error);
      }
    });
  });
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.on('error', () => {});
  send(socket, pieces);
  const error = await done;
  socket.destroy();
  server.close();
  return { pieces, error, bytes: Buffer.concat(pieces) };
}

test('a body in chunks of one byte is delivered in few pieces', async (t) => {
  const count = 50_000;
  const { pieces, bytes, error } = await read(t, (socket) => {
    socket.write(`${HEAD}14\r\n${'a'.repeat(20)}\r\n${'1\r\nz\r\n'.repeat(count)}0\r\n\r\n`);
  });
  t.is(error, null);
  t.is(bytes.toString(), 'a'.repeat(20) + 'z'.repeat(count));
  t.true(pieces.length < count / 100, `${pieces.length} pieces`);
});

test('the bytes before the sender disconnected are read, and then the end is reported', async (t) => {
  const { bytes, error } = await read(t, async (socket, pieces) => {
    socket.write(`${HEAD}14\r\n${'a'.repeat(20)}\r\n3\r\nzzz\r\n`);
    await until(() => Buffer.concat(pieces).includes('zzz'));
    socket.destroy();
  });
  t.true(error instanceof BodyAbortedError);
  t.is(bytes.toString(), `${'a'.repeat(20)}zzz`);
});
