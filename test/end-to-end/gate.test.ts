import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { jwtVerify } from 'jose';
import { freePort } from '../helpers/free-port.ts';
import { gatekeeper, type RunningGatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openUpstreamApp, UPSTREAM_APPS } from '../helpers/upstreams/open-upstream.ts';

const CHROME = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8',
};
/** A residential network. */
const HOME = { 'x-forwarded-for': '81.2.69.142' };
const TOOL = { 'user-agent': 'python-requests/2.32.3', accept: '*/*' };

/** What an operator writes who cannot touch the app: ten lines. */
function configuration(upstream: string, route: string): string {
  return `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  upstream: ${upstream}
  trusted_proxies: [127.0.0.1]
  routes:
    - name: web
      path: /signup
      ${route}
scoring: {dns: {enabled: false}}
`;
}

const gateUrl = (running: RunningGatekeeper) => /The gate listens on (\S+)/.exec(running.output())?.[1] ?? '';

async function startGate(t: ExecutionContext, upstream: string, route: string) {
  const folder = temporaryFolder(t);
  const running = await startGatekeeperProcess(t, folder, configuration(upstream, route));
  await running.said('The gate listens on ');
  return { folder, running, url: gateUrl(running) };
}

function signUp(url: string, email: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const body = new URLSearchParams({ email, name: 'Ada', password: 'correct horse' });
  return fetch(`${url}/signup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...HOME, ...headers },
    body,
  });
}

function emailReadBy(answer: Response): string | null {
  const told = JSON.parse(decodeURIComponent(answer.headers.get('x-app') ?? 'null')) as {
    email: string;
  } | null;
  return told?.email ?? null;
}

for (const app of UPSTREAM_APPS.filter(({ name }) => ['Express 5', 'PHP', 'Flask'].includes(name))) {
  // What is missing is named by the skipped test's title; the full proof counts it as a failure.
  const testWhereInstalled = app.isInstalled() ? test : test.skip;
  testWhereInstalled(
    `ten lines of YAML keep fake signups out of a stock ${app.name} app, and let the others in unchanged`,
    async (t) => {
      const port = await openUpstreamApp(t, app);
      const { url } = await startGate(t, `http://127.0.0.1:${port}`, 'verify: {by: upstream}');

      const low = await signUp(url, 'jane.doe@gmail.com', CHROME);
      t.is(low.status, 201);
      t.is(emailReadBy(low), 'jane.doe@gmail.com');

      const page = await signUp(url, 'jane.doe@mailinator.com', CHROME);
      t.is(page.status, 403);
      t.is(page.headers.get('content-language'), 'pt');
      t.is(emailReadBy(page), null);

      const problem = await signUp(url, 'jane.doe@mailinator.com', { ...CHROME, accept: 'application/json' });
      t.is(problem.status, 403);
      t.is(((await problem.json()) as { code: string }).code, 'signup_refused');

      const medium = await signUp(url, 'jane.doe@gmail.com', TOOL);
      t.is(medium.status, 201);
      t.is(emailReadBy(medium), 'jane.doe@gmail.com');
    },
  );
}

interface RecordingApp {
  readonly url: string;
  readonly requests: IncomingHttpHeaders[];
}

async function openRecordingApp(t: ExecutionContext): Promise<RecordingApp> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    request.resume().on('end', () => response.end('welcome'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

test('the app can check what it is told with the secret that was made here, kept for its owner alone', async (t) => {
  const app = await openRecordingApp(t);
  const { folder, running, url } = await startGate(t, app.url, 'verify: {by: upstream}');
  await signUp(url, 'jane.doe@gmail.com', TOOL);
  t.is(app.requests[0]?.['x-gatekeeper-action'], 'verify');
  const file = join(folder, 'data/assertion.secret');
  t.true(running.output().includes(`GATEKEEPER_ASSERTION_SECRET=$(cat ${file})`));
  t.is((await stat(file)).mode & 0o777, 0o600);
  const secret = await readFile(file);
  const { payload, protectedHeader } = await jwtVerify(
    String(app.requests[0]?.['x-gatekeeper-assertion']),
    secret,
    { issuer: 'gatekeeper' },
  );
  t.is(protectedHeader.kid, 'generated');
  t.like(payload, { action: 'verify', risk_level: 'medium', method: 'POST', path: '/signup' });
  t.false(running.output().includes(secret.toString()), 'the secret itself is never printed');
});

test('a reload that takes the configured key away leaves the secret where an app finds it', async (t) => {
  const app = await openRecordingApp(t);
  const folder = temporaryFolder(t);
  const withoutKey = configuration(app.url, 'verify: {by: upstream}');
  const key = `assertion: {keys: [{id: mine, secret: ${'s'.repeat(32)}}]}\n`;
  const running = await startGatekeeperProcess(t, folder, withoutKey + key);
  await running.said('The gate listens on ');
  const file = join(folder, 'data/assertion.secret');
  await t.throwsAsync(stat(file), { code: 'ENOENT' });
  await writeFile(join(folder, 'gatekeeper.yaml'), withoutKey);
  running.process.kill('SIGHUP');
  await running.said('the changed configuration is active');
  await signUp(gateUrl(running), 'jane.doe@gmail.com', TOOL);
  const { protectedHeader } = await jwtVerify(
    String(app.requests[0]?.['x-gatekeeper-assertion']),
    await readFile(file),
  );
  t.is(protectedHeader.kid, 'generated');
});

test('in monitor mode every signup arrives, marked with what enforcing would have done', async (t) => {
  const app = await openRecordingApp(t);
  const { url } = await startGate(t, app.url, 'mode: monitor');
  t.is((await signUp(url, 'jane.doe@gmail.com', CHROME)).status, 200);
  t.is((await signUp(url, 'jane.doe@gmail.com', TOOL)).status, 200);
  t.is((await signUp(url, 'jane.doe@mailinator.com', CHROME)).status, 200);
  t.deepEqual(
    app.requests.map((headers) => [headers['x-gatekeeper-action'], headers['x-gatekeeper-monitor']]),
    [
      ['forward', 'forward'],
      ['forward', 'verify'],
      ['forward', 'block'],
    ],
  );
});

test('a route that is changed while it serves is changed without a restart, and a bad change is not taken', async (t) => {
  const app = await openRecordingApp(t);
  const { folder, running, url } = await startGate(t, app.url, 'mode: monitor');
  const file = join(folder, 'gatekeeper.yaml');
  t.is((await signUp(url, 'jane.doe@mailinator.com', CHROME)).status, 200);

  await writeFile(file, configuration(app.url, 'verify: {by: upstream}\n      block_page: refused.html'));
  running.process.kill('SIGHUP');
  await running.said('the changed configuration is invalid');
  t.is((await signUp(url, 'jane.doe@mailinator.com', CHROME)).status, 200);

  await writeFile(join(folder, 'refused.html'), '<title>Sorry</title>{{request_id}}');
  await writeFile(file, configuration(app.url, 'verify: {by: upstream}\n      block_page: refused.html'));
  running.process.kill('SIGHUP');
  await running.said('the changed configuration is active');
  const refused = await signUp(url, 'jane.doe@mailinator.com', CHROME);
  t.is(refused.status, 403);
  t.regex(await refused.text(), /^<title>Sorry<\/title>[\da-f-]{36}$/);
  t.is(await running.end('SIGTERM'), 0);
});

test('on one address with the API its paths answer first, and everything else is the app', async (t) => {
  const app = await openRecordingApp(t);
  const folder = temporaryFolder(t);
  const port = await freePort();
  const config = `api: {listen: "127.0.0.1:${port}"}\nproxy:\n  listen: 127.0.0.1:${port}\n  upstream: ${app.url}\n`;
  const running = await startGatekeeperProcess(t, folder, config);
  const status = async (path: string) => (await fetch(running.url + path)).status;
  t.is(running.url, `http://127.0.0.1:${port}`);
  t.is(await status('/livez'), 200);
  t.is(await status('/usage'), 401);
  t.is(await status('/score-signup'), 405);
  t.is(await status('/usages'), 200);
  t.is(await status('/'), 200);
  t.is(await status('/.gatekeeper/'), 404);
  t.is(app.requests.length, 2);
});

test('a block page or a certificate that is not there ends the start with a sentence that names it', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'gatekeeper.yaml');
  await writeFile(file, configuration('http://127.0.0.1:1', 'mode: monitor\n      block_page: sorry.html'));
  const page = await gatekeeper(folder, 'serve');
  t.is(page.code, 2);
  t.regex(page.stderr, /the block_page of "web", .*sorry\.html, cannot be read: it does not exist/);
  const tls = '  tls: {cert: a.pem, key: b.pem}\n  routes:';
  await writeFile(file, configuration('http://127.0.0.1:1', 'mode: monitor').replace('  routes:', tls));
  const certificate = await gatekeeper(folder, 'serve');
  t.is(certificate.code, 2);
  t.regex(certificate.stderr, /proxy\.tls\.cert: .*a\.pem cannot be read \(ENOENT\)/);
});
