import { hash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { openGateServer } from '../gate/gate-server.ts';
import { route } from '../helpers/routes.ts';
import { openUpstreamApp, type UpstreamApp } from '../helpers/upstreams/open-upstream.ts';

const APP: UpstreamApp = {
  name: 'server actions',
  isInstalled: () => true,
  command: () => [
    process.execPath,
    fileURLToPath(new URL('../helpers/upstreams/apps/server-actions.js', import.meta.url)),
  ],
};

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;
const ROUTES = [
  route('/**', {
    methods: METHODS,
    when: { 'header:next-action': { exists: true } },
    on_low: 'forward',
    on_medium: 'forward',
    on_high: 'forward',
    on_missing_email: 'forward',
  }),
];
const PATHS = ['/', '/signup', '/de/join?step=2', '/a/b/../c', '/signup/%73', '//x', '/x;y', '/%2e%2e/x'];
const ACTIONS = [
  ['Next-Action', '7f3a9c'],
  ['next-action', '7f3a9c'],
  ['NEXT-ACTION', ' 7f3a9c '],
] as const;
const GOOD = 'good@corp.example';
const part = (name: string, value: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const BODIES = [
  ['application/json', JSON.stringify({ email: GOOD })],
  ['application/x-www-form-urlencoded', `email=${encodeURIComponent(GOOD)}`],
  ['multipart/form-data; boundary=X', `${part('email', GOOD)}--X--\r\n`],
  ['application/json', JSON.stringify([{ email: GOOD }])],
  ['text/plain;charset=UTF-8', JSON.stringify([{ email: GOOD }])],
  ['application/json', `{"email":"bad@burner.example","email":"${GOOD}"}`],
  [
    'multipart/form-data; boundary=X',
    `${part('email', 'bad@burner.example')}${part('email', GOOD)}--X--\r\n`,
  ],
] as const;

interface Answer {
  readonly status: number;
  /** Null when no action ran. */
  readonly handled: { readonly email: string | null; readonly assertion: string | null } | null;
}

function send(
  { port, agent }: { port: number; agent: Agent },
  [method, path, action, type, body]: readonly string[],
  name: string,
): Promise<Answer> {
  const headers = {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body ?? ''),
    ...(name !== '' && { [name]: action }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
      response.resume().on('end', () => {
        const facts = response.headers['x-app'];
        const handled = typeof facts === 'string' ? JSON.parse(decodeURIComponent(facts)) : null;
        resolve({ status: response.statusCode ?? 0, handled });
      });
    });
    sent.on('error', reject).end(body);
  });
}

test('a server action that runs whatever the method was judged, with the very email that it read', async (t) => {
  const upstream = await openUpstreamApp(t, APP);
  if (upstream === null) throw new Error('It runs with Node.');
  const { port } = await openGateServer(t, { upstreamUrl: `http://127.0.0.1:${upstream}`, routes: ROUTES });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const past: string[] = [];
  let sent = 0;
  let ran = 0;
  for (const method of METHODS) {
    for (const path of PATHS) {
      for (const [name, action] of ACTIONS) {
        for (const [type, body] of BODIES) {
          sent++;
          const { handled } = await send({ port, agent }, [method, path, action, type, body], name);
          if (handled === null) continue;
          ran++;
          const [, claims = ''] = handled.assertion?.split('.') ?? [];
          const judged = claims && JSON.parse(Buffer.from(claims, 'base64url').toString()).email_sha256;
          if (handled.assertion === null || (handled.email && judged !== hash('sha256', handled.email)))
            past.push(`${method} ${path} ${name} ${type} ${body}`);
        }
      }
    }
  }
  t.log(`server actions: ${sent} requests, ${ran} ran, ${past.length} got past the gate`);
  t.deepEqual(past, []);
  t.true(ran > 200);
});

test('what names no action passes, whatever its method and body', async (t) => {
  const upstream = await openUpstreamApp(t, APP);
  if (upstream === null) throw new Error('It runs with Node.');
  const { port, judged } = await openGateServer(t, {
    upstreamUrl: `http://127.0.0.1:${upstream}`,
    routes: ROUTES,
  });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  for (const [type, body] of BODIES.slice(0, 3)) {
    const { status, handled } = await send({ port, agent }, ['POST', '/contact', '', type, body], '');
    t.is(status, 200, type);
    t.is(handled, null, type);
  }
  t.is(judged.length, 0);
});
