import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test from 'ava';
import { readSettings, SettingsError } from '../../demo/settings.ts';
import { startDemo } from '../helpers/demo-process.ts';
import { freePort } from '../helpers/free-port.ts';
import { until } from '../helpers/until.ts';

const WRONG = [
  [{ GATEKEEPER_DEMO_PORT: 'abc' }, /GATEKEEPER_DEMO_PORT is "abc".*from 1 to 65535/],
  [
    { GATEKEEPER_DEMO_HOST: '192.0.2.1' },
    /cannot listen on 192\.0\.2\.1:\d+ \(EADDRNOTAVAIL\).*127\.0\.0\.1/,
  ],
] as const;

test('settings that cannot be used are refused with what to write', (t) => {
  for (const [env, message] of [
    [{ GATEKEEPER_DEMO_PORT: '0' }, /GATEKEEPER_DEMO_PORT is "0"/],
    [{ GATEKEEPER_DEMO_PORT: '70000' }, /GATEKEEPER_DEMO_PORT is "70000"/],
    [{ GATEKEEPER_DEMO_HOST: 'a host' }, /GATEKEEPER_DEMO_HOST is "a host".*0\.0\.0\.0/],
    [{ GATEKEEPER_DEMO_URL: 'https://shop.example' }, /GATEKEEPER_DEMO_URL is .*ssh -L/],
  ] as const)
    t.throws(() => readSettings(env), { instanceOf: SettingsError, message });
});

for (const [env, message] of WRONG) {
  test.serial(
    `${Object.entries(env).flat().join('=')} ends with one sentence and leaves nothing behind`,
    async (t) => {
      const demo = await startDemo(t, { env });
      t.is(await demo.ended, 1);
      t.regex(demo.output(), message);
      t.is(demo.output().trim().split('\n').length, 1);
      t.deepEqual(demo.folders(), []);
    },
  );
}

test.serial(
  'the link signs in as operator; a second demo names the port; Ctrl+C ends and deletes all',
  async (t) => {
    const demo = await startDemo(t, { fromSource: true });
    const link = await demo.link;
    t.regex(
      demo.output(),
      /^Preparing[^\n]+\n\n {2}Open the demo {3}http:\/\/127\.0\.0\.1:\d+\/demo\/sign-in\//,
    );
    t.notRegex(demo.output(), /warn/i);
    t.is(demo.folders().length, 1);

    const signedIn = await fetch(link, { redirect: 'manual' });
    t.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/']);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    const overview = await fetch(new URL('/overview', link), { headers: { cookie }, redirect: 'manual' });
    t.is(overview.status, 200);
    t.notRegex(await (await fetch(new URL('/', link), { headers: { cookie } })).text(), /not signed in/);
    t.regex(await (await fetch(new URL('/', link))).text(), /not signed in/);
    const forged = await fetch(`${link.slice(0, -3)}abc`, { redirect: 'manual' });
    t.deepEqual([forged.status, forged.headers.getSetCookie()], [404, []]);

    const second = await startDemo(t, { env: { GATEKEEPER_DEMO_PORT: String(demo.port) } });
    t.is(await second.ended, 1);
    t.regex(
      second.output(),
      new RegExp(`^Port ${demo.port} is in use.*GATEKEEPER_DEMO_PORT=${demo.port + 1} npm run demo`),
    );

    demo.signal('SIGINT');
    demo.signal('SIGINT');
    t.is(await demo.ended, 0);
    t.deepEqual(demo.folders(), []);
    const again = createServer().listen(demo.port, '127.0.0.1');
    await once(again, 'listening');
    again.close();
  },
);

test.serial('Ctrl+C during the preparation ends and deletes all', async (t) => {
  const demo = await startDemo(t);
  await until(() => demo.output().includes('Preparing'));
  demo.signal('SIGINT');
  t.is(await demo.ended, 0);
  t.deepEqual(demo.folders(), []);
  t.notRegex(demo.output(), /Open the demo|Error/);
});

test.serial('a demo that is killed leaves no Gatekeeper behind', async (t) => {
  const demo = await startDemo(t);
  const link = await demo.link;
  demo.signal('SIGKILL');
  t.is(await demo.ended, null);
  await until(() =>
    fetch(new URL('/', link)).then(
      () => false,
      () => true,
    ),
  );
});

test.serial(
  'works in a container and through a forwarded port, and under no name of the internet',
  async (t) => {
    const outside = await freePort();
    const demo = await startDemo(t, {
      env: { GATEKEEPER_DEMO_HOST: '0.0.0.0', GATEKEEPER_DEMO_URL: `http://localhost:${outside}` },
    });
    const link = await demo.link;
    t.is(new URL(link).host, `localhost:${outside}`);
    const sockets = new Set<Socket>();
    const forwarder = createServer((client) => {
      const server = connect(demo.port, '127.0.0.1');
      for (const socket of [client, server]) {
        sockets.add(socket);
        socket.on('error', () => {});
      }
      client.pipe(server).pipe(client);
    }).listen(outside, '127.0.0.1');
    await once(forwarder, 'listening');
    t.teardown(() => {
      forwarder.close();
      for (const socket of sockets) socket.destroy();
    });

    const base = `http://127.0.0.1:${outside}`;
    const signedIn = await fetch(new URL(new URL(link).pathname, base), { redirect: 'manual' });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    t.is((await fetch(`${base}/decisions`, { headers: { cookie }, redirect: 'manual' })).status, 200);
    t.is((await fetch(`${base}/mailbox`)).status, 200);

    const post = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${base}${path}`, { method: 'POST', headers });
    const typo = (await (await post('/demo/senders/typo')).json()) as { readonly summary: string };
    t.regex(typo.summary, /^Held/);
    t.regex(
      await (await fetch(`${base}/mailbox`)).text(),
      new RegExp(`http://localhost:${outside}/\\.gatekeeper/`),
    );

    t.is((await post('/demo/senders/customer', { 'sec-fetch-site': 'cross-site' })).status, 403);
    t.is((await post('/demo/senders/toString')).status, 404);
    t.is((await post('/demo/modes/constructor')).status, 404);
    const together = await Promise.all([post('/demo/senders/burners'), post('/demo/senders/burners')]);
    t.deepEqual(together.map(({ status }) => status).sort(), [200, 409]);
    for (const after of ['-1', 'abc', '1e99', '']) {
      t.is((await fetch(`${base}/demo/decisions?after=${after}`)).status, 200, after);
    }
    const elsewhere = connect(demo.port, '127.0.0.1');
    sockets.add(elsewhere);
    elsewhere.write('GET /demo/decisions HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(elsewhere, 'data')) as [Buffer];
    t.regex(answer.toString(), /^HTTP\/1\.1 421 /);
  },
);
