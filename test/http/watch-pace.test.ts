import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { watchPace } from '../../src/http/read-body.ts';
import { pauseProcess } from '../helpers/pause-process.ts';

const PACE = { timeoutMs: 100, minBytesPerSecond: 1_000 };

async function watched(t: ExecutionContext) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const seen = { bytes: 0, tooSlow: 0 };
  socket.on('data', (chunk) => {
    seen.bytes += chunk.length;
  });
  const end = watchPace(
    PACE,
    () => seen.bytes,
    () => {
      seen.tooSlow += 1;
    },
  );
  t.teardown(() => {
    end();
    client.destroy();
    socket.destroy();
    server.close();
  });
  // The watch begins in the next turn.
  await delay(10);
  return { client, seen, end };
}

test('a body that arrived while the process was paused is not too slow', async (t) => {
  const { client, seen, end } = await watched(t);
  client.write('x'.repeat(5_000));
  pauseProcess(300);
  await delay(50);
  end();
  t.deepEqual(seen, { bytes: 5_000, tooSlow: 0 });
});

test('a body that does not arrive is too slow once, and none is after the watch has ended', async (t) => {
  const { client, seen, end } = await watched(t);
  client.write('x');
  while (seen.tooSlow === 0) await delay(10);
  await delay(20);
  t.is(seen.tooSlow, 1);
  end();

  const other = await watched(t);
  pauseProcess(300);
  other.end();
  await delay(50);
  t.is(other.seen.tooSlow, 0);
});
