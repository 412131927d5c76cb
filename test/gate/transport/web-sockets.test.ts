import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { ACCEPT, all, ask, openClient, openEchoApp } from './echo-app.ts';
import { openGate, openRawApp, until } from './open-gate.ts';

test('a WebSocket echoes through the gate, and bytes sent with the handshake are not lost', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `${ask()}early`);
  await until(() => client.text.endsWith('early'));
  client.socket.write(' late');
  await until(() => client.text.endsWith('early late'));
  t.regex(client.text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
  t.regex(client.text, /\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/);
  t.is(client.text.match(/Set-Cookie/g)?.length, 2);
  t.is(client.text.match(/Connection: Upgrade/gi)?.length, 1);
});

test('megabytes pass in both directions at once', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const bytes = randomBytes(5_000_000);
  const hash = createHash('sha256');
  const socket = connect(gate.port, '127.0.0.1', () => socket.write(ask()));
  t.teardown(() => socket.destroy());
  await new Promise<void>((resolve) => {
    let head = true;
    let missing = bytes.length;
    socket.on('data', (chunk) => {
      if (head) {
        head = false;
        socket.write(bytes);
        return;
      }
      hash.update(chunk);
      missing -= chunk.length;
      if (missing === 0) resolve();
    });
  });
  t.is(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'));
});

test('the app gets a new handshake: the original target, no forged or hop-by-hop fields', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(
    t,
    gate.port,
    ask('//a//b/../c?d=//e', [
      ...[
        'X-Gatekeeper-Action: forward',
        'x_gatekeeper_score: 99',
        'X-Forwarded-For: 6.6.6.6',
        'Expect: 100-continue',
      ],
      ...[
        'Trailer: x',
        'X-Dup: 1',
        'x-dup: 2',
        'Connection: X-Secret',
        'X-Secret: 1',
        'Sec-WebSocket-Protocol: chat',
      ],
    ]),
  );
  await until(() => client.text.includes('\r\n\r\n'));
  const [request] = app.requests;
  t.is(request?.url, '//a//b/../c?d=//e');
  const headers = request?.headers ?? {};
  t.is(headers.host, 'app.example');
  t.is(headers['x-forwarded-for'], '127.0.0.1');
  t.is(headers['sec-websocket-protocol'], 'chat');
  t.is(headers['x-dup'], '1, 2');
  t.is(headers.connection, 'Upgrade');
  t.is(headers.via, '1.1 gatekeeper');
  for (const name of ['x-gatekeeper-action', 'x_gatekeeper_score', 'trailer', 'x-secret', 'expect'])
    t.is(headers[name], undefined);
});

test('resets on either side at any moment end the other side and never the process', async (t) => {
  const open = new Set<Socket>();
  const port = await openRawApp(t, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.once('data', (chunk) => {
      const text = chunk.toString();
      if (text.startsWith('GET /refused'))
        socket.write('HTTP/1.1 401 No\r\n\r\n', () => socket.resetAndDestroy());
      else if (text.startsWith('GET /dies')) socket.write(`${ACCEPT}\r\n`, () => socket.resetAndDestroy());
      else if (text.startsWith('GET /at-once')) socket.resetAndDestroy();
      else if (!text.startsWith('GET /pending')) socket.write(`${ACCEPT}\r\n`);
    });
  });
  const gate = await openGate(t, port, { upgrades: all });
  const kinds = ['refused', 'dies', 'at-once', 'pending', 'stays'];
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const kind = kinds[i % kinds.length];
      const socket = connect(gate.port, '127.0.0.1', () => socket.write(ask(`/${kind}`)));
      setTimeout(() => (i % 2 ? socket.resetAndDestroy() : socket.destroy()), 5 + (i % 30));
      return new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    }),
  );
  await until(() => open.size === 0);
  t.is(open.size, 0);
});

test('a side that ends cleanly ends the other', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `${ask()}bye`);
  await until(() => client.text.endsWith('bye'));
  client.socket.end();
  await until(() => client.ended && app.open.size === 0);
  t.true(client.ended);
});

test('closing the listener ends WebSockets', async (t) => {
  const app = await openEchoApp(t);
  const gate = await openGate(t, app.port, { upgrades: all });
  const client = openClient(t, gate.port, `${ask()}x`);
  await until(() => client.text.endsWith('x'));
  await gate.listener.close();
  await until(() => client.ended && app.open.size === 0);
  t.true(client.ended);
});
