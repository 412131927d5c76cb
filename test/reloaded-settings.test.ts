import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { Config } from '../src/config/config.ts';
import { defaultConfig } from './helpers/default-config.ts';
import { openGatedApp, proxyTo } from './helpers/gated-app.ts';
import { route } from './helpers/routes.ts';
import { openSmtpMailbox } from './helpers/smtp-mailbox.ts';
import { keyOf, start } from './start-gatekeeper.ts';

const PEM_FOLDER = fileURLToPath(new URL('./http/testdata/', import.meta.url));

test('a reload that fails in its last part changes no other part', async (t) => {
  const port = await openGatedApp(t);
  const { config, gatekeeper, folder, score } = await start(t, () => ({
    proxy: proxyTo(port, { routes: [route('/signup')] }),
  }));
  const { proxy } = config;
  if (proxy === null) throw new Error('there is a gate');
  const changed: Config = {
    ...config,
    api: { ...config.api, keys: [keyOf('second')] },
    scoring: { ...config.scoring, dns: { ...config.scoring.dns, enabled: true, timeout: 77 } },
    lists: { allow: [], deny: ['gmail.com'] },
    proxy: { ...proxy, routes: [{ ...route('/signup'), block_page: join(folder, 'missing.html') }] },
  };
  await t.throwsAsync(gatekeeper.configure(changed), {
    message: /block_page.*missing\.html.*it does not exist/,
  });
  const revision = (await score('first')).headers.get('gatekeeper-policy');
  const answer = await score('first');
  t.is(answer.status, 200);
  t.like(await answer.json(), { risk_level: 'low' });
  t.is((await score('second')).status, 401);

  writeFileSync(join(folder, 'missing.html'), '<p>No</p>');
  t.deepEqual(await gatekeeper.configure(changed), []);
  t.is((await score('first')).status, 401);
  const denied = await score('second');
  t.like(await denied.json(), { trust_score: 0 });
  t.not(denied.headers.get('gatekeeper-policy'), revision);
});

test('a certificate that does not fit its key or is empty is refused, and the next one is served to new connections', async (t) => {
  const port = await openGatedApp(t);
  const { config, gatekeeper } = await start(t, (_, folder) => {
    for (const file of ['one.crt', 'one.key', 'two.crt', 'two.key'])
      copyFileSync(join(PEM_FOLDER, file), join(folder, file));
    return { proxy: proxyTo(port, { tls: { cert: join(folder, 'one.crt'), key: join(folder, 'one.key') } }) };
  });
  const { proxy } = config;
  if (!proxy?.tls || !gatekeeper.gate) throw new Error('there is a gate');
  const gatePort = Number(new URL(gatekeeper.gate.url).port);
  const served = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: gatePort, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const withTls = (cert: string, key: string): Config => {
    const tls = {
      cert: join(config.proxy?.tls?.cert ?? '', '..', cert),
      key: join(config.proxy?.tls?.key ?? '', '..', key),
    };
    return { ...config, proxy: { ...proxy, tls } };
  };
  const first = await served();
  await t.throwsAsync(gatekeeper.configure(withTls('two.crt', 'one.key')), {
    message: /proxy\.tls: .*two\.crt/,
  });
  t.is(await served(), first);
  await gatekeeper.configure(withTls('two.crt', 'two.key'));
  const second = await served();
  t.not(second, first);
  for (const name of ['two.crt', 'two.key']) {
    const file = join(config.proxy?.tls?.cert ?? '', '..', name);
    writeFileSync(file, '');
    await t.throwsAsync(gatekeeper.configure(withTls('two.crt', 'two.key')), {
      message: /proxy\.tls: .*two\.crt/,
    });
    t.is(await served(), second);
    copyFileSync(join(PEM_FOLDER, name), file);
  }
  // The file names no certificate any more: TLS stays until the restart, with the certificate of the last reload.
  rmSync(join(config.proxy?.tls?.cert ?? '', '../one.crt'));
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: { ...proxy, tls: null } }), ['proxy.tls']);
  t.is(await served(), second);
  const metrics = await (await fetch(`${gatekeeper.dashboardUrl}/metrics`)).text();
  t.regex(metrics, /^gatekeeper_certificate_remaining_seconds \d{9,}/m);
});

test('a gate that the file no longer has keeps the settings of the last reload until the restart, not those of the start', async (t) => {
  const port = await openGatedApp(t);
  const withMode = (mode: 'monitor' | 'enforce') => proxyTo(port, { routes: [route('/signup', { mode })] });
  const { config, gatekeeper } = await start(t, () => ({
    proxy: withMode('monitor'),
    lists: { allow: [], deny: ['gmail.com'] },
  }));
  const signUp = async () => {
    const body = new URLSearchParams({ email: 'jane.doe@gmail.com' });
    return (await fetch(`${gatekeeper.gate?.url}/signup`, { method: 'POST', body })).status;
  };
  t.is(await signUp(), 200);
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: withMode('enforce') }), []);
  t.is(await signUp(), 403);
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: null }), ['proxy']);
  t.is(await signUp(), 403);
  t.deepEqual(await gatekeeper.configure({ ...config, proxy: withMode('monitor') }), []);
  t.is(await signUp(), 200);
});

test('a reload changes the level of the log, the plans and the limits of velocity', async (t) => {
  const { config, gatekeeper, lines, score } = await start(t);
  const atStart = lines.length;
  t.is((await score('first')).status, 200);
  t.true(lines.length > atStart);
  await gatekeeper.configure({
    ...config,
    log: { ...defaultConfig.log, level: 'silent', format: 'json' },
    api: { ...config.api, plans: { ...config.api.plans, unlimited: { requests_per_month: 2 } } },
    scoring: { ...config.scoring, velocity: { ...config.scoring.velocity, ip: { per_hour: 1 } } },
  });
  const before = lines.length;
  const answer = await score('first', 'john.smith@gmail.com');
  t.regex(await answer.text(), /ip_burst/);
  t.is((await score('first')).status, 429);
  t.is(lines.length, before);
});

test('a limit of velocity that a reload raises above all limits of the start is reached', async (t) => {
  const withLimit = ({ scoring }: Config, per_hour: number) => {
    const verified = { ...scoring.velocity.verified, step: null };
    const none = { subnet: {}, mailbox: {}, domain: {}, device: {}, template: {} };
    const cohort = { ...scoring.velocity.cohort, signups: null };
    return { ...scoring, velocity: { ip: { per_hour }, ...none, cohort, verified } };
  };
  const { config, gatekeeper, score } = await start(t, (base) => ({ scoring: withLimit(base, 12) }));
  await gatekeeper.configure({ ...config, scoring: withLimit(config, 300) });
  let last = '';
  for (let i = 0; i < 300; i++) last = await (await score('first', `person${i}@gmail.com`)).text();
  t.regex(last, /ip_burst/);
});

test('a reload gives a key of the configuration the scope gate, and takes it away', async (t) => {
  const port = await openGatedApp(t);
  const { config, gatekeeper } = await start(t, () => ({
    proxy: proxyTo(port, { routes: [route('/signup')] }),
  }));
  const form = new URLSearchParams({ email: 'x@mailinator.com' });
  const refused = await fetch(`${gatekeeper.gate?.url}/signup`, { method: 'POST', body: form });
  const { request_id } = (await refused.json()) as { request_id: string };
  const statusOf = async () =>
    (await fetch(`${gatekeeper.apiUrl}/decisions/${request_id}`, { headers: { 'x-api-key': 'first' } }))
      .status;
  const scoped = (scope: 'gate' | null) => ({ ...config.api, keys: [{ ...keyOf('first'), scope }] });
  t.is(await statusOf(), 404);
  await gatekeeper.configure({ ...config, api: scoped('gate') });
  t.is(await statusOf(), 200);
  await gatekeeper.configure({ ...config, api: scoped(null) });
  t.is(await statusOf(), 404);
});

test('a reload moves mails to another server, and the page with mails exists only without one', async (t) => {
  const [first, second] = [await openSmtpMailbox(t), await openSmtpMailbox(t)];
  const port = await openGatedApp(t);
  const mailVia = (smtp: string | null) => ({ smtp, from: 'noreply@shop.example' });
  const { config, gatekeeper } = await start(t, () => ({
    mail: mailVia(first.url),
    proxy: proxyTo(port, {
      routes: [
        {
          ...route('/signup'),
          mode: 'enforce',
          verify: { by: 'email' },
          on_low: 'verify',
          on_medium: 'verify',
          on_high: 'verify',
        },
      ],
    }),
  }));
  let visitors = 0;
  const signUp = () =>
    fetch(`${gatekeeper.gate?.url}/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `email=visitor${visitors++}%40gmail.com`,
      redirect: 'manual',
    });
  const mailboxPage = async () => (await fetch(`${gatekeeper.dashboardUrl}/mailbox`)).status;
  await signUp();
  await first.received(1);
  t.is(await mailboxPage(), 404);
  await gatekeeper.configure({ ...config, mail: mailVia(second.url) });
  await signUp();
  await second.received(1);
  t.is(first.mails.length, 1);
  await gatekeeper.configure({ ...config, mail: mailVia(null) });
  t.is(await mailboxPage(), 200);
  await gatekeeper.configure({ ...config, mail: mailVia(first.url) });
  t.is(await mailboxPage(), 404);
  await signUp();
  await first.received(2);
});
