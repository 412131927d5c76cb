import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { parseMailbox } from '../../src/addresses/email-address.ts';
import { parseIpAddress } from '../../src/addresses/ip-address.ts';
import { createPseudonymizer, identify } from '../../src/assessment/identity.ts';
import type { Config } from '../../src/config/config.ts';
import { openListener } from '../../src/http/listener.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openVerification } from '../../src/verification/open-verification.ts';
import { UNNAMED_SITE } from '../../src/web/site.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { route } from '../helpers/routes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NOON } from '../storage/decisions/decision-fixture.ts';

const pseudonymize = createPseudonymizer('a secret of this test');

function configWith(changes: Partial<Config>, routeChanges: Parameters<typeof route>[1] = {}): Config {
  return {
    ...defaultConfig,
    proxy: {
      ...{ listen: '127.0.0.1:0', upstream: 'http://127.0.0.1:1', public_url: 'http://localhost:8000' },
      ...{
        trusted_proxies: [],
        origins: [],
        client_ip_header: 'x-forwarded-for',
        tls: null,
        proxy_protocol: false,
      },
      forward_auth: null,
      ...{ timeouts: { connect: 1_000, response: 1_000 }, max_upstream_connections: 1, watch: true },
      routes: [route('/signup', { verify: { by: 'email' }, ...routeChanges })],
    },
    ...changes,
  };
}

async function open(t: ExecutionContext, config: Config) {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const clock = () => NOON;
  const records = await openDatabase(`${temporaryFolder(t)}/gatekeeper.db`, clock);
  const verification = openVerification({
    ...{
      config,
      site: UNNAMED_SITE,
      heldSignups: records.heldSignups,
      holdSecret: 'made once',
      pseudonymize,
      clock,
      log,
    },
    metrics: createMetrics().verification,
  });
  const mailbox = verification.mailbox();
  const listen = { host: '127.0.0.1', port: 0 };
  const listener =
    mailbox && (await openListener({ listen, limits: config.server, handler: mailbox.handle }));
  t.teardown(async () => {
    await listener?.close();
    await verification.close();
    await records.close();
  });
  const hold = (requestId: string) => {
    const [mailbox, ip] = [parseMailbox('jane@example.com'), parseIpAddress('203.0.113.7')];
    if (!mailbox || !ip) throw new Error('unreadable');
    const identity = identify({ email: { mailbox }, ip, userAgent: null }, pseudonymize);
    const message = { method: 'POST', target: '/signup', rawHeaders: [], body: Buffer.alloc(0) };
    return verification.hold({
      ...{ requestId, message, mailbox, identity, ip, userAgent: null, acceptLanguage: 'en', context: {} },
    });
  };
  return { verification, hold, lines, url: listener && `http://127.0.0.1:${listener.address.port}/mailbox` };
}

function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, async (response) => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) body += chunk;
      resolve([response.statusCode ?? 0, body]);
    });
    sent.on('error', reject).end();
  });
}

test('without a mail server, mails are shown on loopback to requests with a loopback name', async (t) => {
  const { hold, url } = await open(t, configWith({}));
  if (url === null) return t.fail();
  t.regex((await get(url, {}))[1], /No mails yet/);
  const result = await hold('r1');
  t.is(result.kind, 'held');
  for (const host of ['localhost:8081', '127.0.0.1', '[::1]:8081']) {
    const [status, page] = await get(url, { host });
    t.is(status, 200);
    t.regex(
      page,
      /jane@example\.com.*Your code: \d{6}.*href="http:\/\/localhost:8000\/\.gatekeeper\/verify\/[\w-]{43}"/s,
    );
  }
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:8081']) {
    t.is((await get(url, { host }))[0], 404);
  }
  t.is((await get(url, {}, 'POST'))[0], 405);
  t.deepEqual(await get(url, {}, 'HEAD'), [200, '']);
  t.is((await get(url.replace('/mailbox', '/'), {}))[0], 404);
});

for (const [who, headers] of [
  ['nginx', { 'x-real-ip': '203.0.113.7' }],
  ['a proxy that says for whom', { 'x-forwarded-for': '203.0.113.7' }],
  ['a proxy that says by which name', { 'X-Forwarded-Host': 'shop.example' }],
  ['a proxy that says how', { 'x-forwarded-proto': 'https' }],
  ['a proxy by the standard', { forwarded: 'for=203.0.113.7' }],
  ['a cache', { via: '1.1 varnish' }],
  ['Cloudflare', { 'cf-ray': '8a1-FRA' }],
  ['Akamai', { 'true-client-ip': '203.0.113.7' }],
  ['a load balancer', { 'x-amzn-trace-id': 'Root=1-2-3' }],
  ['Envoy', { 'x-envoy-external-address': '203.0.113.7' }],
  ['Fly', { 'fly-client-ip': '203.0.113.7' }],
  ['Tailscale', { 'tailscale-user-login': 'eve@example.com' }],
  ['a router of requests', { 'x-request-id': '1' }],
  ['an unknown proxy', { 'x-edge-9': '1' }],
  ['a forward proxy', { 'proxy-connection': 'keep-alive' }],
] as const) {
  test(`the mailbox is not shown through ${who}, with any Host`, async (t) => {
    const { hold, url } = await open(t, configWith({}));
    await hold('r1');
    const [status, page] = await get(url ?? '', { host: 'localhost:8081', ...headers });
    t.is(status, 404);
    t.notRegex(page, /jane|verify\/|Your code/);
  });
}

test('the mailbox is not shown over HTTP/1.0, which proxies speak and browsers do not', async (t) => {
  const { hold, url } = await open(t, configWith({}));
  await hold('r1');
  const { port } = new URL(url ?? '');
  const answerTo = async (version: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(`GET /mailbox HTTP/${version}\r\nHost: 127.0.0.1:8081\r\nConnection: close\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
    return answer;
  };
  t.notRegex(await answerTo('1.0'), /jane/);
  t.regex(await answerTo('1.1'), /jane@example\.com/);
});

for (const [title, gate, dashboard, status] of [
  ['of the gate is on the web', 'https://app.example', null, 404],
  ['of the dashboard is on the web', 'http://localhost:8000', 'https://gatekeeper.example', 404],
  ['is a name that begins like loopback', 'http://localhost.evil.example', null, 404],
  ['is an address of the network', 'http://192.168.1.7:8000', null, 404],
  ['is missing', null, null, 200],
  ['is loopback', 'http://127.0.0.1:8000', 'http://[::1]:8081', 200],
] as const) {
  test(`the mailbox answers ${status} where a public_url ${title}`, async (t) => {
    const config = configWith({});
    const { verification, url } = await open(t, config);
    verification.configure(
      {
        ...config,
        proxy: config.proxy && { ...config.proxy, public_url: gate },
        dashboard: { ...config.dashboard, public_url: dashboard },
      },
      UNNAMED_SITE,
    );
    t.is((await get(url ?? '', {}))[0], status);
  });
}

test('the mailbox is not shown to another machine', async (t) => {
  const { verification } = await open(t, configWith({}));
  const server = createServer((request, response) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: '192.0.2.7' });
    verification.mailbox()?.handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  t.is((await get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mailbox`, {}))[0], 404);
});

test('with a mail server, there is no mailbox', async (t) => {
  const mail = { smtp: 'smtp://127.0.0.1:1', from: 'a@example.com' };
  t.is((await open(t, configWith({ mail }))).url, null);
});

for (const [title, config, isTold] of [
  ['a route that verifies by mail', configWith({}), true],
  ['no route that verifies by mail', configWith({}, { verify: { by: 'upstream' } }), false],
  ['a dry run', configWith({}, { mode: 'monitor' }), false],
  ['no gate', configWith({ proxy: null }), false],
] as const) {
  test(`without a mail server and with ${title}, ${isTold ? 'a warning is logged' : 'no warning is logged'}`, async (t) => {
    t.is(/mail\.smtp is not set/.test((await open(t, config)).lines.join('')), isTold);
  });
}

test('a reload changes the budgets and where visitors reach the gate', async (t) => {
  const { verification, hold } = await open(t, configWith({}));
  t.like(await hold('r1'), { kind: 'held' });
  const tight = { ...defaultConfig.verification, mails_per_hour: { mailbox: 2, address: 20, site: 20 } };
  const config = configWith({ verification: tight });
  const proxy = config.proxy && { ...config.proxy, public_url: 'https://new.example' };
  verification.configure({ ...config, proxy }, UNNAMED_SITE);
  const result = await hold('r2');
  t.regex(result.kind === 'held' ? result.url : '', /^https:\/\/new\.example\//);
  t.is((await hold('r3')).kind, 'too-many-mails');
});

test('without a public URL of the gate, no signup is held', async (t) => {
  const config = configWith({});
  const { hold } = await open(t, { ...config, proxy: config.proxy && { ...config.proxy, public_url: null } });
  await t.throwsAsync(hold('r1'), { message: /public_url/ });
});
