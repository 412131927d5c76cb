import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { type Gate, type GateOptions, openApp, openGate, until } from './open-gate.ts';

const test = anyTest as TestFn;
const PAYLOAD = 'x'.repeat(300_000);

interface Mishap {
  readonly name: string;
  /** Makes it happen once, and resolves when the gate has seen its end. */
  readonly cause: (gate: Gate) => Promise<void>;
  /** Connections that one failure may cost. */
  readonly costs?: number;
  readonly options?: GateOptions;
}

/** Sends bytes, and disconnects when `isTime` returns true. */
function leaving(text: string, isTime: (received: string) => boolean, afterMs = 5): Mishap['cause'] {
  return async (gate) => {
    const ends = gate.outcomes.length;
    const socket = connect(gate.port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('latin1').on('error', () => {});
    const willLeave = () => setTimeout(() => socket.destroy(), afterMs);
    if (isTime('')) willLeave();
    else {
      socket.on('data', (chunk) => {
        received += chunk;
        if (!isTime(received)) return;
        socket.removeAllListeners('data');
        willLeave();
      });
    }
    await once(socket, 'close');
    await until(() => gate.outcomes.length > ends || gate.transport.isIdle());
    await until(() => gate.transport.isIdle());
  };
}

/** Sends bytes and stays until the gate ends the connection or has answered. */
function staying(text: string): Mishap['cause'] {
  return async (gate) => {
    const socket = connect(gate.port, '127.0.0.1', () => socket.write(text));
    socket.on('error', () => {});
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.destroy();
    await until(() => gate.transport.isIdle());
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string, body = 'body', length = body.length) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;
const atOnce = () => true;
const inTheAnswer = (received: string) => received.includes('xxx');

const OURS: readonly Mishap[] = [
  { name: 'leaves before the answer to a GET', cause: leaving(get('/hangs'), atOnce) },
  { name: 'leaves before the answer to a POST', cause: leaving(post('/hangs'), atOnce) },
  { name: 'leaves at the moment at which it has asked', cause: leaving(post('/echo'), atOnce, 0) },
  { name: 'leaves in the middle of an answer', cause: leaving(get('/endless'), inTheAnswer) },
  { name: 'leaves in the middle of an answer to a POST', cause: leaving(post('/endless'), inTheAnswer) },
  {
    name: 'leaves in the middle of a small upload',
    cause: leaving(post('/echo', 'x'.repeat(500), 60_000), atOnce),
  },
  {
    name: 'leaves in the middle of a streamed upload',
    cause: leaving(post('/echo', PAYLOAD, 9_000_000), atOnce, 20),
  },
  {
    name: 'pipelines three requests and leaves',
    cause: leaving(get('/echo') + post('/hangs') + get('/hangs'), atOnce),
    costs: 3,
  },
  {
    name: 'is given no answer in time',
    cause: staying(post('/hangs')),
    options: { timeouts: { response: 300 } },
  },
  {
    name: 'stops sending its streamed upload',
    cause: staying(post('/hangs', PAYLOAD, 9_000_000)),
    options: { limits: { body_timeout: 200 } },
  },
  {
    name: 'announces more than it sends',
    cause: staying(
      `POST /hangs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n`,
    ),
  },
];

/** Effects on the upstream that one client can cause with its requests. */
const THEIRS: readonly Mishap[] = [
  { name: 'asks for an answer that ends its connection', cause: staying(get('/announced')) },
  // On a busy machine the next requests begin before the end of the connection is noticed.
  { name: 'asks for what ends its connection unannounced', cause: staying(get('/unannounced')), costs: 6 },
  { name: 'asks for what ends its connection without an answer', cause: staying(post('/crash')), costs: 2 },
  { name: 'asks for an answer that breaks off', cause: leaving(get('/breaks'), inTheAnswer), costs: 2 },
  { name: 'asks for an answer that is no HTTP', cause: staying(get('/garbage')), costs: 2 },
  { name: 'sends what the upstream refuses with 400 and an end', cause: staying(get('/400')) },
  { name: 'asks for the head alone', cause: staying('HEAD /echo HTTP/1.1\r\nHost: a\r\n\r\n') },
];

export function answer(request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => {});
  switch (request.url) {
    case '/hangs':
      request.resume();
      break;
    case '/endless':
      request.resume();
      response.write('x'.repeat(10));
      break;
    case '/announced':
      response.writeHead(200, { Connection: 'close' }).end('ok');
      break;
    case '/unannounced':
      response.end('ok', () => request.socket.destroy());
      break;
    case '/crash':
      request.socket.destroy();
      break;
    case '/breaks':
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('xxx', () => setTimeout(() => response.socket?.destroy(), 3));
      break;
    case '/garbage':
      request.socket.end('no HTTP at all\r\n\r\n');
      break;
    case '/400':
      request.socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      break;
    default:
      request.resume().on('end', () => response.end('ok'));
  }
}

async function openCountedApp(t: ExecutionContext) {
  const app = await openApp(t, answer);
  app.server.keepAliveTimeout = 60_000;
  const count = { connections: 0 };
  app.server.on('connection', () => count.connections++);
  return { ...app, count };
}

export function send(gate: Gate, agent: Agent, method: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${gate.url}/echo`, { method, agent }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
    });
    asked.on('error', reject).end(method === 'POST' ? 'body' : undefined);
  });
}

/** The effects of one client or one answer on its own connection never affect other clients' connections. */
export function testConnectionReuse(mishaps: number, postsBetween: number): void {
  for (const { name, cause, costs = 1, options } of [...OURS, ...THEIRS]) {
    test(`a client that ${name} costs its own connection to the upstream and not those of others`, async (t) => {
      const app = await openCountedApp(t);
      // Read by the mishaps alone: the others must not be cut off by limits made for them.
      const gate = await openGate(t, app.port, options);
      const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
      t.teardown(() => agents.forEach((agent) => void agent.destroy()));
      for (let i = 0; i < mishaps; i++) {
        await cause(gate);
        for (let j = 0; j < postsBetween; j++) {
          const statuses = await Promise.all(agents.map((agent) => send(gate, agent, 'POST')));
          t.deepEqual(new Set(statuses), new Set([200]));
        }
      }
      const { connections } = app.count;
      t.log(`${connections} connections for ${mishaps} mishaps and ${mishaps * postsBetween * 2} POSTs`);
      t.true(connections <= mishaps * costs + agents.length * 2);
    });
  }

  test('an upstream that is restarted costs each connection once', async (t) => {
    const app = await openCountedApp(t);
    const gate = await openGate(t, app.port);
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true }));
    t.teardown(() => agents.forEach((agent) => void agent.destroy()));
    const all = (method: string) => Promise.all(agents.map((agent) => send(gate, agent, method)));
    for (let i = 0; i < 20; i++) await all('POST');
    const before = app.count.connections;
    app.server.closeAllConnections();
    await until(() => gate.transport.openConnections() === 0);
    for (let i = 0; i < 40; i++) t.deepEqual(new Set(await all('POST')), new Set([200]));
    const { connections } = app.count;
    t.log(`${before} connections before, ${connections - before} after it, for 320 POSTs`);
    t.true(connections - before <= 120);
  });
}
