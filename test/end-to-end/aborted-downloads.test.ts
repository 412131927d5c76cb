import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openApp } from '../gate/transport/open-gate.ts';
import { startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const DOWNLOADS = 1_000;
const AT_ONCE = 50;
/** More than the buffers of two sockets and the gate between them hold: none arrives whole before its client leaves. */
const DOWNLOAD_BYTES = 100_000_000;
const MOST_BYTES_READ = 500_000;
const WITHIN_MS = 2_000;
const PIECE = Buffer.alloc(65_536, 'd');

/** An app whose downloads are long, and that knows its own sockets. */
async function openDownloads(t: ExecutionContext) {
  const seen = { sockets: 0, opened: 0, begun: 0, running: 0 };
  const { port, server } = await openApp(t, (request, response) => {
    if (request.url === '/') {
      response.end('ok');
      return;
    }
    seen.begun++;
    seen.running++;
    response.on('close', () => seen.running--);
    response.writeHead(200, { 'Content-Length': DOWNLOAD_BYTES });
    let left = DOWNLOAD_BYTES;
    const send = () => {
      while (left > 0 && !response.destroyed) {
        const piece = PIECE.subarray(0, left);
        left -= piece.length;
        if (!response.write(piece)) {
          response.once('drain', send);
          return;
        }
      }
      response.end();
    };
    // A moment in which a client can leave before it is answered.
    setTimeout(send, 3);
  });
  server.on('connection', (socket) => {
    seen.sockets++;
    seen.opened++;
    socket.on('close', () => seen.sockets--);
  });
  return { port, seen };
}

type Leave = 'after the request' | 'after some bytes' | 'with a reset' | 'without reading' | 'half-closed';

/** A client that leaves somewhere on the way, in one of the manners in which clients do. */
function abandon(port: number, leave: Leave, point: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: leave === 'half-closed' });
    const afterBytes = Math.floor(point * MOST_BYTES_READ);
    let read = 0;
    socket.on('error', () => {}).on('close', () => resolve());
    socket.write('GET /download HTTP/1.1\r\nHost: a\r\n\r\n', () => {
      if (leave === 'after the request') setTimeout(() => socket.destroy(), point * 10);
      if (leave === 'without reading') {
        socket.pause();
        setTimeout(() => socket.destroy(), 20 + point * 50);
      }
    });
    if (leave === 'after the request' || leave === 'without reading') return;
    socket.on('data', (chunk) => {
      read += chunk.length;
      if (read < afterBytes) return;
      if (leave === 'with a reset') socket.resetAndDestroy();
      else if (leave === 'after some bytes') socket.destroy();
      else {
        socket.end();
        setTimeout(() => socket.destroy(), 5);
      }
    });
  });
}

const LEAVES: readonly Leave[] = [
  'after the request',
  'after some bytes',
  'with a reset',
  'without reading',
  'half-closed',
];

test(`${DOWNLOADS} downloads that their clients abandon leave no socket to the upstream behind`, async (t) => {
  const app = await openDownloads(t);
  const running = await startGatekeeperProcess(
    t,
    temporaryFolder(t),
    `api: {listen: "127.0.0.1:0"}
proxy: {listen: "127.0.0.1:0", upstream: "http://127.0.0.1:${app.port}"}
server: {max_lag: 10s}
`,
  );
  await running.said('The gate listens on ');
  const [, url = '', port] = /The gate listens on (\S+:(\d+))/.exec(running.output()) ?? [];
  t.is(await (await fetch(url)).text(), 'ok');
  const base = app.seen.sockets;
  t.is(base, 1);

  let started = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (started < DOWNLOADS) {
        const i = started++;
        // Spread evenly over every point at which one can leave, and the same in every run.
        await abandon(Number(port), LEAVES[i % LEAVES.length] ?? 'with a reset', (i * 0.618_034) % 1);
      }
    }),
  );
  const endedAt = performance.now();
  while (app.seen.sockets > base || app.seen.running > 0) {
    if (performance.now() - endedAt > WITHIN_MS) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const tookMs = performance.now() - endedAt;
  t.log(
    `${app.seen.begun} of ${DOWNLOADS} reached the app, over ${app.seen.opened} sockets in all; ` +
      `${tookMs.toFixed(0)} ms after the last left there were ${app.seen.sockets}, ${base} before the first`,
  );
  t.true(app.seen.begun > DOWNLOADS / 2);
  t.is(app.seen.running, 0);
  t.true(app.seen.sockets <= base);
  t.true(app.seen.opened <= DOWNLOADS + base, 'no connection is opened for a request that nobody waits for');
  t.is((await fetch(url)).status, 200);
  t.is(await running.end('SIGTERM'), 0);
});
