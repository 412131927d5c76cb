import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { openApp, openRawApp, until } from '../gate/transport/open-gate.ts';
import { startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** After which Docker kills, and the default of `server.drain_timeout`. */
const DRAIN_TIMEOUT_S = 10;
const HEAD = 'Host: a\r\n';
const FORM = `${HEAD}Content-Type: application/x-www-form-urlencoded\r\n`;
const UPGRADE = `${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`;

/** What can be under way when a stop begins, and would go on for ever. */
const ENDLESS: Readonly<Record<string, string>> = {
  'half a head': `GET /hangs HTTP/1.1\r\nHo`,
  'a stalled upload': `POST /hangs HTTP/1.1\r\n${HEAD}Content-Length: 900\r\n\r\nbegun`,
  'a stalled upload in chunks': `POST /hangs HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nbegun\r\n`,
  'a stalled upload that is streamed': `POST /hangs HTTP/1.1\r\n${HEAD}Content-Length: 9000000\r\n\r\n${'x'.repeat(300_000)}`,
  'a stalled signup': `POST /signup HTTP/1.1\r\n${FORM}Content-Length: 900\r\n\r\nemail=`,
  'an upload whose refusal was sent early': `POST /refused HTTP/1.1\r\n${HEAD}Content-Length: 9000000\r\n\r\n${'x'.repeat(300_000)}`,
  'a hanging upstream': `GET /hangs HTTP/1.1\r\n${HEAD}\r\n`,
  'a stalled download': `GET /stalls HTTP/1.1\r\n${HEAD}\r\n`,
  'a client that reads nothing': `GET /floods HTTP/1.1\r\n${HEAD}\r\n`,
  'an event stream': `GET /events HTTP/1.1\r\n${HEAD}\r\n`,
  'requests in a row': `GET /hangs HTTP/1.1\r\n${HEAD}\r\n`.repeat(3),
  'a WebSocket': `GET /socket HTTP/1.1\r\n${UPGRADE}\r\n`,
  'a WebSocket that is not answered': `GET /silent HTTP/1.1\r\n${UPGRADE}\r\n`,
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => {}).resume();
  switch (request.url) {
    case '/refused':
      response.writeHead(413, { Connection: 'close', 'Content-Length': 2 }).end('no');
      break;
    case '/stalls':
      response.writeHead(200, { 'Content-Length': 1_000 }).write('begun');
      break;
    case '/floods': {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
      break;
    }
    case '/events': {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: tick\n\n'), 20);
      response.on('close', () => clearInterval(timer));
      break;
    }
    default:
  }
}

async function openHangingApp(t: ExecutionContext) {
  const app = await openApp(t, answer);
  const tunnels = new Set<Duplex>();
  app.server.on('upgrade', (request, socket: Duplex) => {
    tunnels.add(socket);
    socket.on('error', () => {}).on('close', () => tunnels.delete(socket));
    socket.on('end', () => socket.end());
    socket.resume();
    if (request.url === '/socket')
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  const seen: string[] = [];
  app.server.on('request', ({ url }) => seen.push(url ?? ''));
  return { port: app.port, seen, tunnels };
}

function begin(t: ExecutionContext, port: number, text: string, reads: boolean): Promise<unknown> {
  const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  // One that does not read does not learn of the end.
  return reads ? once(socket.resume(), 'close') : Promise.resolve();
}

const config = (upstream: number, more = '') => `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  public_url: https://gate.example
  upstream: http://127.0.0.1:${upstream}
  routes: [{name: web, path: /signup, on_low: verify, on_medium: verify, on_high: verify, verify: {by: email}}]
scoring: {dns: {enabled: false}}
server: {max_lag: 60s}
verification: {hold_secrets: ["a secret that is long enough for holding signups"]}
${more}`;

test('whatever is under way, the process has ended with 0 before the drain limit is over', async (t) => {
  t.timeout(120_000);
  const app = await openHangingApp(t);
  const running = await startGatekeeperProcess(t, temporaryFolder(t), config(app.port));
  await running.said('The dashboard is at ');
  const portOf = (name: RegExp) => Number(name.exec(running.output())?.[1]);
  const gatePort = portOf(/The gate listens on \S+:(\d+)/);
  const ends = Object.entries(ENDLESS).map(([name, text]) =>
    begin(t, gatePort, text, name !== 'a client that reads nothing'),
  );
  for (const port of [Number(new URL(running.url).port), portOf(/The dashboard is at \S+:(\d+)/)]) {
    const stalled = `POST /score-signup HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;
    ends.push(begin(t, port, stalled, true), begin(t, port, 'GET / HT', true));
  }
  await until(() => app.seen.length >= 9 && app.tunnels.size === 2);
  const since = performance.now();
  const code = await running.end('SIGTERM');
  const tookS = (performance.now() - since) / 1_000;
  await Promise.all(ends);
  t.log(`${ends.length} connections, ended after ${tookS.toFixed(2)} s`);
  t.is(code, 0);
  t.true(tookS < DRAIN_TIMEOUT_S);
  await until(() => app.tunnels.size === 0);
});

test('a mail server that does not answer, behind a request that does not end, is not waited for either', async (t) => {
  t.timeout(120_000);
  const app = await openHangingApp(t);
  let mails = 0;
  const smtp = await openRawApp(t, () => mails++);
  const more = `mail: {smtp: "smtp://127.0.0.1:${smtp}", from: noreply@shop.example}`;
  const running = await startGatekeeperProcess(t, temporaryFolder(t), config(app.port, more));
  await running.said('The dashboard is at ');
  const port = Number(/The gate listens on \S+:(\d+)/.exec(running.output())?.[1]);
  void begin(t, port, ENDLESS['a hanging upstream'] ?? '', true);
  const body = 'email=jane.doe%40gmail.com&name=Jane';
  void begin(t, port, `POST /signup HTTP/1.1\r\n${FORM}Content-Length: ${body.length}\r\n\r\n${body}`, true);
  await until(() => app.seen.length === 1 && mails > 0);
  const since = performance.now();
  t.is(await running.end('SIGTERM'), 0);
  const tookS = (performance.now() - since) / 1_000;
  t.log(`ended after ${tookS.toFixed(2)} s`);
  t.true(tookS < DRAIN_TIMEOUT_S);
});
