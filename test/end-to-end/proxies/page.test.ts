import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadConfig } from '../../../src/config/load.ts';
import { parseYaml } from '../../../src/config/parse-yaml.ts';
import { knownNames } from '../../config/known-names.ts';
import { freePort } from '../../helpers/free-port.ts';
import { spawnServe } from '../../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';
import { FORM, openRememberingApp, send } from './behind-proxy.ts';
import {
  CADDY,
  HAPROXY,
  NGINX,
  NGINX_CHECK,
  type ProxyExample,
  startProxy,
  TOKEN,
} from './proxy-programs.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/proxies.md');
const [inPath = '', checks = ''] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = '']) => yaml);
const DISPOSABLE = { headers: FORM, body: 'email=ada%40mailinator.com' };

test('both configurations of the page are accepted', (t) => {
  const env = { GATEKEEPER_CHECK_TOKEN: TOKEN };
  for (const text of [inPath, checks]) {
    const { config } = loadConfig({ file: null, text, env, knownNames });
    t.deepEqual(config.proxy?.trusted_proxies, ['127.0.0.1']);
    t.is(config.proxy?.forward_auth, text === checks ? TOKEN : null);
  }
});

test('the page links every configuration, and the files for Traefik and Envoy ask where the gate answers', (t) => {
  for (const file of ['nginx.conf', 'nginx-check.conf', 'nginx-behind.conf', 'haproxy.cfg', 'Caddyfile'])
    t.true(page.includes(`(../examples/proxies/${file})`), file);
  for (const file of ['traefik.yaml', 'envoy.yaml']) {
    t.true(page.includes(`(../examples/proxies/${file})`), file);
    const text = read(`examples/proxies/${file}`);
    t.is(typeof parseYaml(text).value, 'object');
    t.regex(text, /(?:address: http:\/\/127\.0\.0\.1:8000|path_prefix: )\/\.gatekeeper\/check\/TOKEN\n/);
  }
});

/** `gatekeeper serve` with the configuration of the page, behind the proxy. */
async function openPage(t: ExecutionContext, example: ProxyExample) {
  const app = await openRememberingApp(t);
  const ports = { gate: await freePort(), app: app.port };
  const folder = temporaryFolder(t);
  const serve = async (change: (yaml: string) => string) => {
    const yaml = change(example.asksForChecks ? checks : inPath)
      .replace('127.0.0.1:8000', `127.0.0.1:${ports.gate}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${ports.app}`);
    const rest =
      'api: {listen: "127.0.0.1:0"}\ndashboard: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\n';
    await writeFile(join(folder, 'gatekeeper.yaml'), yaml + rest);
    return await spawnServe(t, folder, ['serve'], { GATEKEEPER_CHECK_TOKEN: TOKEN });
  };
  return { app, ports, serve };
}

for (const example of [NGINX, NGINX_CHECK, HAPROXY, CADDY]) {
  const { file, program, isInstalled } = example;
  const run = isInstalled ? test : test.skip;
  run(
    `${file}: serve refuses, is killed, and refuses again${isInstalled ? '' : ` (${program} is missing)`}`,
    async (t) => {
      const { app, ports, serve } = await openPage(t, example);
      const dry = await serve((yaml) => yaml);
      const proxy = await startProxy(t, example, ports);
      // A busy gate answers 503, so every step waits for its answer.
      await until(async () => (await send(proxy.port, DISPOSABLE)).status === 200);
      t.is(app.requests[0]?.headers['x-gatekeeper-monitor'], 'block');
      t.is(await dry.end('SIGTERM'), 0);

      const enforced = await serve((yaml) => yaml.replace(', mode: monitor', ''));
      const isRefused = async () => (await send(proxy.port, DISPOSABLE)).status === 403;
      await until(isRefused);
      const received = app.requests.length;
      await until(isRefused);
      t.is(app.requests.length, received);

      await enforced.end('SIGKILL');
      await until(async () => (await send(proxy.port, DISPOSABLE)).status === 200);
      t.is(app.requests.at(-1)?.headers['x-gatekeeper-request-id'], undefined);
      await serve((yaml) => yaml.replace(', mode: monitor', ''));
      await until(isRefused);
      t.pass();
    },
  );
}
