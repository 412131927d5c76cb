import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import test from 'ava';
import { decodeJwt } from 'jose';
import { CLOSED_PORT } from '../../helpers/free-port.ts';
import { until } from '../../helpers/until.ts';
import { emailOf, FORM, openProxiedGate, openRememberingApp, send } from './behind-proxy.ts';
import { CADDY, HAPROXY, NGINX, NGINX_CHECK, startProxy, TOKEN } from './proxy-programs.ts';

const SPOOFED = Object.fromEntries(
  ['Request-Id', 'Score', 'Risk-Level', 'Action', 'Monitor', 'Degraded', 'Assertion'].map((name) => [
    `X-Gatekeeper-${name}`,
    'spoofed',
  ]),
);
const SPELLINGS = [
  ...['/signup', '/SignUp', '/sign%75p', '/sign%2575p', '//signup', '/a/../signup', '/./signup', '/signup/'],
  ...['/signup;x=1', '/signup.json', '/signup?plan=free', '/x/%2e%2e/signup'],
];

for (const example of [NGINX, NGINX_CHECK, HAPROXY, CADDY]) {
  const { file, isInstalled, program } = example;
  const run = isInstalled ? test : test.skip;
  const title = (text: string) =>
    isInstalled ? `${file}: ${text}` : `${file}: ${text} (${program} is missing)`;

  run(
    title('an honest signup arrives byte for byte and once, with the headers of the gate alone'),
    async (t) => {
      const { app, gate, proxy } = await openProxiedGate(t, example);
      const boundary = 'x-boundary';
      const multipart = Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="email"\r\n\r\nada@company.example\r\n`,
        ),
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n`,
        ),
        randomBytes(300_000),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      const bodies = [
        { headers: FORM, body: Buffer.from(`${emailOf('ada')}&note=%20+%E2%82%AC`) },
        {
          headers: { 'content-type': 'application/json' },
          body: Buffer.from('{ "email" : "ada@company.example" }\n'),
        },
        { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: multipart },
      ];
      for (const [i, { headers, body }] of bodies.entries()) {
        const path = `/sign%75p?x=%20${i}&y=a/b`;
        const answer = await send(proxy.port, { path, body, headers: { ...headers, ...SPOOFED } });
        t.is(answer.status, 200, answer.body);
        t.is(answer.body, 'welcome');
        const arrived = app.requests[i];
        t.is(arrived?.method, 'POST');
        t.is(arrived?.url, path);
        t.deepEqual(arrived?.body, body);
        t.is(arrived?.headers['content-type'], headers['content-type']);
        t.is(arrived?.headers.host, `127.0.0.1:${proxy.port}`);
        t.is(arrived?.headers['x-gatekeeper-score'], '91');
        t.is(arrived?.headers['x-gatekeeper-request-id'], gate.recorded[i]?.requestId);
        t.like(decodeJwt(String(arrived?.headers['x-gatekeeper-assertion'])), { method: 'POST', path });
        t.false(Object.values(arrived?.headers ?? {}).includes('spoofed'));
      }
      await send(proxy.port, { path: '/login', headers: SPOOFED, body: 'a=b' });
      const names = Object.keys(app.requests.at(-1)?.headers ?? {});
      t.deepEqual(
        names.filter((name) => name.startsWith('x-gatekeeper')),
        [],
      );
      t.is(app.requests.length, bodies.length + 1);
    },
  );

  run(title('a refused signup reaches the app in no spelling and by no header field'), async (t) => {
    const { app, proxy } = await openProxiedGate(t, example);
    for (const path of SPELLINGS) {
      const answer = await send(proxy.port, { path, body: emailOf('high'), headers: FORM });
      t.is(answer.status, 403, path);
      t.like(JSON.parse(answer.body), { code: 'signup_refused' });
    }
    for (const [name, value] of [
      ['X-Original-URI', '/harmless'],
      ['X-Forwarded-Uri', '/harmless'],
      ['X-Forwarded-Method', 'GET'],
      ['X-Gatekeeper-Accel-Redirect', '@app'],
      ['X-Accel-Redirect', '@app'],
    ] as const)
      t.is(
        (await send(proxy.port, { body: emailOf('high'), headers: { ...FORM, [name]: value } })).status,
        403,
        name,
      );
    t.is(
      (
        await send(proxy.port, {
          path: '/front',
          body: emailOf('high'),
          headers: { ...FORM, 'X-Original-URL': '/signup' },
        })
      ).status,
      403,
    );
    const page = await send(proxy.port, { body: emailOf('high'), headers: { ...FORM, accept: 'text/html' } });
    t.is(page.status, 403);
    t.regex(page.body, /<h1>/);
    t.is(app.requests.length, 0);
  });

  run(title('chunked bodies, 100-continue, other methods and odd bodies'), async (t) => {
    const { app, proxy } = await openProxiedGate(t, example);
    const chunked = { ...FORM, 'transfer-encoding': 'chunked' };
    t.is((await send(proxy.port, { body: emailOf('ada'), headers: chunked })).status, 200);
    t.is((await send(proxy.port, { body: emailOf('high'), headers: chunked })).status, 403);
    const expecting = { ...FORM, expect: '100-continue', 'content-length': String(emailOf('ada').length) };
    t.is((await send(proxy.port, { body: emailOf('ada'), headers: expecting })).status, 200);
    t.is((await send(proxy.port, { method: 'PUT', body: emailOf('high'), headers: FORM })).status, 403);
    t.is((await send(proxy.port, { body: `${emailOf('a')}&${emailOf('b')}`, headers: FORM })).status, 400);
    t.is((await send(proxy.port, { headers: FORM })).status, 400);
    t.is((await send(proxy.port, { body: `email=${'a'.repeat(2_000_000)}`, headers: FORM })).status, 413);
    t.deepEqual(
      app.requests.map(({ body }) => body.toString()),
      [emailOf('ada'), emailOf('ada')],
    );
  });

  run(title('the decision has the address of the client, and clients cannot choose it'), async (t) => {
    const { app, gate, proxy } = await openProxiedGate(t, example);
    const spoofed = {
      'X-Forwarded-For': '6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      Forwarded: 'for=6.6.6.6',
      'X-Forwarded-Host': 'evil.example',
    };
    await send(proxy.port, { body: emailOf('ada'), headers: FORM, from: '127.0.0.2' });
    await send(proxy.port, { body: emailOf('ada'), headers: { ...FORM, ...spoofed }, from: '127.0.0.3' });
    t.deepEqual(
      gate.judged.map(({ ip }) => ip?.text),
      ['127.0.0.2', '127.0.0.3'],
    );
    t.true(app.requests.every(({ headers }) => !String(headers['x-forwarded-for']).includes('6.6.6.6')));
    t.deepEqual(
      [...new Set(app.requests.map(({ headers }) => headers['x-forwarded-host']))],
      [`127.0.0.1:${proxy.port}`],
    );
  });

  run(title('fifty signups on one connection and thirty at once arrive once each'), async (t) => {
    const { app, proxy } = await openProxiedGate(t, example);
    const localParts = Array.from({ length: 50 }, (_, i) => (i % 5 === 4 ? 'high' : `ada${i}`));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    for (const [i, localPart] of localParts.entries()) {
      const { status } = await send(proxy.port, { body: emailOf(localPart), headers: FORM, agent });
      t.is(status, i % 5 === 4 ? 403 : 200);
    }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        send(proxy.port, { body: emailOf(i % 2 ? 'high' : `eve${i}`), headers: FORM }),
      ),
    );
    t.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, i) => (i % 2 ? 403 : 200)),
    );
    const bodies = app.requests.map(({ body }) => body.toString());
    t.is(new Set(bodies).size, 40 + 15);
    t.is(bodies.length, 40 + 15);
  });

  run(
    title('while the gate is away, visitors reach the app, or are refused when the marked text is deleted'),
    async (t) => {
      const app = await openRememberingApp(t);
      const ports = { gate: CLOSED_PORT, app: app.port };
      const open = await startProxy(t, example, ports);
      const sent = { body: emailOf('high'), headers: { ...FORM, ...SPOOFED } };
      // HAProxy notices at its first failure.
      await until(async () => (await send(open.port, sent)).status === 200);
      t.is((await send(open.port, { path: '/', method: 'GET' })).body, 'welcome');
      const received = app.requests.length;
      t.is(received, 2);
      t.false(Object.values(app.requests[0]?.headers ?? {}).includes('spoofed'));
      t.is(app.requests[0]?.body.toString(), emailOf('high'));

      const change = (text: string) => text.replace(example.failOpen, '');
      const closed = await startProxy(t, example, { ...ports, change });
      for (let i = 0; i < 3; i++) {
        const { status } = await send(closed.port, sent);
        t.true([502, 503].includes(status), String(status));
      }
      t.is(app.requests.length, received);
    },
  );

  run(title('clients can ask for no check'), async (t) => {
    const { app, gate, proxy } = await openProxiedGate(t, example);
    for (const path of ['', `/${TOKEN}`, `/${TOKEN}/signup`, `/${TOKEN}/login`, '/x/signup']) {
      const headers = { ...FORM, 'X-Forwarded-Method': 'POST', 'X-Forwarded-Uri': '/signup' };
      const answer = await send(proxy.port, {
        path: `/.gatekeeper/check${path}`,
        headers,
        body: emailOf('ada'),
      });
      t.is(answer.status, 404, path);
      t.deepEqual(
        Object.keys(answer.headers).filter((name) => name.startsWith('x-gatekeeper')),
        [],
      );
    }
    const page = await send(proxy.port, {
      path: '/.gatekeeper/verify/x',
      method: 'GET',
      headers: { accept: 'text/html' },
    });
    t.is(page.headers['x-app'], undefined);
    t.is(gate.judged.length, 0);
    t.is(app.requests.length, 0);
  });
}
