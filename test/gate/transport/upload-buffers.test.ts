import type { Socket } from 'node:net';
import test from 'ava';
import { createUploadBuffers, UPLOAD_BUFFER_BYTES } from '../../../src/gate/transport/upload-buffers.ts';
import { openGate, openRawApp, until } from './open-gate.ts';

test('a released buffer is used again, and only so many are kept', (t) => {
  const buffers = createUploadBuffers();
  const all = Array.from({ length: 100 }, () => buffers.acquire());
  t.true(all.every(({ length }) => length === UPLOAD_BUFFER_BYTES));
  for (const buffer of all) buffers.release(buffer);
  const again = Array.from({ length: 100 }, () => buffers.acquire());
  t.is(again.filter((buffer) => all.includes(buffer)).length, 64);
});

test('an upstream that answers long before it reads gets each body as it was sent', async (t) => {
  const COUNT = 150;
  const BYTES = 120_000;
  const sockets: Socket[] = [];
  const port = await openRawApp(t, (socket) => void sockets.push(socket.pause()));
  let arrived = 0;
  const { url } = await openGate(t, port, { maxConnections: 1, onRequest: () => arrived++ });
  for (let i = 0; i < COUNT; i++) {
    const answer = fetch(url, { method: 'POST', body: letterOf(i).repeat(BYTES) });
    await until(() => sockets.length === 1 && arrived === i + 1);
    // A sender that never reads: the gate's bytes fill the system's buffers, then wait in the gate.
    await new Promise((resolve) => setTimeout(resolve, 10));
    sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    t.is((await answer).status, 200);
  }
  let text = '';
  sockets[0]?.on('data', (chunk) => (text += chunk.toString('latin1'))).resume();
  const bodies = () => text.split(/POST \/[^{]*?\r\n\r\n/).slice(1);
  await until(() => bodies().length === COUNT && bodies().at(-1)?.length === BYTES);
  t.deepEqual(
    bodies().map((body) => [...new Set(body)].join('')),
    Array.from({ length: COUNT }, (_, i) => letterOf(i)),
  );
});

const letterOf = (i: number) => String.fromCharCode(97 + (i % 26));
