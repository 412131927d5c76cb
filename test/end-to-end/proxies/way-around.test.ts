import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { decodeJwt } from 'jose';
import { openGateServer } from '../../gate/gate-server.ts';
import { route } from '../../helpers/routes.ts';
import { emailOf, FORM, openProxiedGate, openRememberingApp, send } from './behind-proxy.ts';
import { CADDY, HAPROXY, NGINX, NGINX_BEHIND, NGINX_CHECK, startProxy } from './proxy-programs.ts';

/** The fields that HAProxy and Caddy check. */
const HANDSHAKE = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** The status of the answer to a request for a tunnel. */
async function statusOfUpgrade(t: ExecutionContext, port: number, protocol: string): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  const fields = `Host: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${HANDSHAKE}`;
  socket.write(`GET /live HTTP/1.1\r\n${fields}\r\n`);
  const [piece] = await once(socket, 'data');
  return Number(String(piece).split(' ')[1]);
}

for (const example of [NGINX, NGINX_CHECK, HAPROXY, CADDY]) {
  const { file, isInstalled, program } = example;
  const run = isInstalled ? test : test.skip;
  const title = (text: string) =>
    isInstalled ? `${file}: ${text}` : `${file}: ${text} (${program} is missing)`;

  run(title('an answer that the proxy cannot read takes neither the gate nor the app out'), async (t) => {
    const { app, proxy } = await openProxiedGate(t, example);
    for (let i = 0; i < 3; i++) {
      await send(proxy.port, { path: '/long-head', method: 'GET' });
      t.is((await send(proxy.port, { body: emailOf('high'), headers: FORM })).status, 403);
    }
    t.is((await send(proxy.port, { body: emailOf('ada'), headers: FORM })).status, 200);
    t.deepEqual([...new Set(app.requests.map(({ body }) => body.toString()))], ['', emailOf('ada')]);
  });

  run(
    title('a signup with a long body does not reach the app, and one with a long target has its headers'),
    async (t) => {
      const { app, proxy } = await openProxiedGate(t, example);
      const body = `${emailOf('high')}&pad=${'x'.repeat(6_000_000)}`;
      for (let i = 0; i < 20; i++) {
        const answer = await send(proxy.port, { body, headers: FORM }).catch(() => null);
        t.true(answer === null || [413, 502].includes(answer.status), String(answer?.status));
      }
      t.is(app.requests.length, 0);
      const path = `/signup?${'x'.repeat(4_500)}`;
      t.is((await send(proxy.port, { path, body: emailOf('ada'), headers: FORM })).status, 200);
      t.like(decodeJwt(String(app.requests[0]?.headers['x-gatekeeper-assertion'])), { path });
    },
  );

  run(title('a WebSocket reaches the app, and no tunnel of another protocol'), async (t) => {
    const { proxy } = await openProxiedGate(t, example);
    t.is(await statusOfUpgrade(t, proxy.port, 'websocket'), 101);
    t.is(await statusOfUpgrade(t, proxy.port, 'WebSocket'), 101);
    t.is(await statusOfUpgrade(t, proxy.port, 'h2c'), 200);
  });
}

const runNginx = NGINX_BEHIND.isInstalled ? test : test.skip;

runNginx('a WebSocket reaches the app through the gate and nginx behind it', async (t) => {
  const app = await openRememberingApp(t);
  const proxy = await startProxy(t, NGINX_BEHIND, { gate: 1, app: app.port });
  const gate = await openGateServer(t, { upstreamUrl: proxy.url, routes: [route('/signup')] });
  t.is(await statusOfUpgrade(t, gate.port, 'websocket'), 101);
});
