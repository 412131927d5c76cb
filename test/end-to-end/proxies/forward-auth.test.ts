import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import test from 'ava';
import { openGateServer } from '../../gate/gate-server.ts';
import { heldAt, openMailGate } from '../../gate/mail-gate.ts';
import { route } from '../../helpers/routes.ts';
import { emailOf, FORM, openProxiedGate, openRememberingApp, send } from './behind-proxy.ts';
import { CADDY, NGINX_BEHIND, NGINX_CHECK, startProxy, TOKEN } from './proxy-programs.ts';

const runNginx = NGINX_CHECK.isInstalled ? test : test.skip;
const runCaddy = CADDY.isInstalled ? test : test.skip;
if (!NGINX_CHECK.isInstalled) test.skip('checks by nginx: nginx is missing', () => {});
if (!CADDY.isInstalled) test.skip('checks by Caddy: caddy is missing', () => {});

runNginx(
  'a gate that answers nothing costs a visitor the time limit of nginx, and the app gets the signup once',
  async (t) => {
    const app = await openRememberingApp(t);
    const silent = createServer((socket) => socket.on('error', () => socket.destroy()).resume()).listen(
      0,
      '127.0.0.1',
    );
    await once(silent, 'listening');
    t.teardown(() => silent.close());
    const proxy = await startProxy(t, NGINX_CHECK, {
      gate: (silent.address() as AddressInfo).port,
      app: app.port,
      change: (text) => text.replace('proxy_read_timeout 10s', 'proxy_read_timeout 1s'),
    });
    const answer = await send(proxy.port, { body: emailOf('ada'), headers: FORM });
    t.is(answer.body, 'welcome');
    t.deepEqual(
      app.requests.map(({ body }) => body.toString()),
      [emailOf('ada')],
    );
  },
);

runNginx(
  'a signup to verify by mail is held, and arrives as it was sent when nginx passed on the code',
  async (t) => {
    const app = await openRememberingApp(t);
    const gate = await openMailGate(t, {
      upstreamUrl: app.url,
      trustedProxies: ['127.0.0.1'],
      forwardAuth: TOKEN,
    });
    const proxy = await startProxy(t, NGINX_CHECK, { gate: gate.port, app: app.port });
    const signup = {
      path: '/signup?plan=free',
      body: `${emailOf('medium')}&note=%E2%82%AC`,
      from: '127.0.0.7',
    };
    const sent = await send(proxy.port, { ...signup, headers: { ...FORM, accept: 'text/html' } });
    t.is(sent.status, 303);
    const path = await heldAt(new Response(null, { headers: { location: String(sent.headers.location) } }));
    t.regex(
      (await send(proxy.port, { path, method: 'GET', headers: { accept: 'text/html' } })).body,
      /<form/,
    );
    t.is(app.requests.length, 0);
    const [mail] = await gate.mailbox.received(1);
    const confirmation = { path, headers: FORM, body: `code=${mail?.code}` };
    t.is((await send(proxy.port, confirmation)).body, 'welcome');
    const [arrived] = app.requests;
    t.like(arrived, { method: 'POST', url: signup.path, body: Buffer.from(signup.body) });
    t.is(arrived?.headers.host, `127.0.0.1:${proxy.port}`);
    t.is(arrived?.headers['x-forwarded-for'], '127.0.0.7, 127.0.0.1');
    t.is(arrived?.headers['x-gatekeeper-action'], 'forward');
    await send(proxy.port, confirmation);
    t.is(app.requests.length, 1);
  },
);

runNginx('a large upload and a WebSocket go past the gate', async (t) => {
  const { app, gate, proxy } = await openProxiedGate(t, NGINX_CHECK);
  const upload = Buffer.alloc(20_000_000, 'x');
  const answer = await send(proxy.port, { path: '/files', method: 'PUT', body: upload });
  t.is(answer.status, 200);
  t.true(app.requests[0]?.body.equals(upload));
  const socket = connect(proxy.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write('GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  t.regex(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 101 /);
  socket.write('a message');
  t.is(String((await once(socket, 'data'))[0]), 'a message');
  t.is(gate.judged.length, 0);
  t.is(gate.upstream.connections, 0);
});

runNginx('nginx behind the gate sees the address of the visitor, and every byte of the signup', async (t) => {
  const app = await openRememberingApp(t);
  const proxy = await startProxy(t, NGINX_BEHIND, { gate: 1, app: app.port });
  const gate = await openGateServer(t, { upstreamUrl: proxy.url, routes: [route('/signup')] });
  const headers = { ...FORM, 'X-Forwarded-For': '6.6.6.6' };
  const path = '/sign%75p?x=%20';
  const answer = await send(gate.port, { path, body: emailOf('ada'), headers, from: '127.0.0.5' });
  t.is(answer.body, 'welcome');
  t.like(app.requests[0], { method: 'POST', url: path, body: Buffer.from(emailOf('ada')) });
  t.is(app.requests[0]?.headers['x-forwarded-for'], '127.0.0.5');
  t.is(app.requests[0]?.headers['x-gatekeeper-score'], '91');
  t.is((await send(gate.port, { body: emailOf('high'), headers: FORM })).status, 403);
  t.is(app.requests.length, 1);
});

runCaddy(
  'forward_auth of Caddy sends no body: every signup is refused with a sentence, and the log says so',
  async (t) => {
    const app = await openRememberingApp(t);
    const gate = await openGateServer(t, {
      routes: [route('/signup')],
      proxy: { trusted_proxies: ['127.0.0.1'], forward_auth: TOKEN },
    });
    const site = `:80 {
	forward_auth 127.0.0.1:8000 {
		uri /.gatekeeper/check/TOKEN
		copy_headers X-Gatekeeper-Score
	}
	reverse_proxy 127.0.0.1:3000
}
`;
    const proxy = await startProxy(t, CADDY, { gate: gate.port, app: app.port, change: () => site });
    const answer = await send(proxy.port, { body: emailOf('ada'), headers: FORM });
    t.is(answer.status, 400);
    t.regex(JSON.parse(answer.body).detail, /The check has no body\. Let the proxy send the body/);
    t.true(gate.log.some((line) => line.includes('see docs/proxies.md')));
    t.is((await send(proxy.port, { path: '/', method: 'GET' })).body, 'welcome');
  },
);

runCaddy('a signup over HTTP/2 is judged behind Caddy', async (t) => {
  const { app, proxy } = await openProxiedGate(t, CADDY);
  const session = connectHttp2(proxy.url);
  t.teardown(() => session.destroy());
  for (const [localPart, status] of [
    ['ada', 200],
    ['high', 403],
  ] as const) {
    const stream = session.request({ ':method': 'POST', ':path': '/signup', ...FORM });
    stream.end(emailOf(localPart));
    const [headers] = await once(stream, 'response');
    t.is(headers[':status'], status);
    stream.resume();
    await once(stream, 'close');
  }
  t.is(app.requests.length, 1);
});
