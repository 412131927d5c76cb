import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { decodeJwt } from 'jose';
import { gatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const [, section = ''] = /\n## Decisions of the gate\n(.*?)\n## /s.exec(page) ?? [];
const [create = '', find = '', label = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, code]) => code,
);

/** An app that keeps the headers of its last signup. */
async function openApp(t: ExecutionContext) {
  const arrived: { headers: IncomingHttpHeaders } = { headers: {} };
  const app = createServer((request, response) => {
    arrived.headers = request.headers;
    request.resume().on('end', () => response.end('welcome'));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => app.close());
  return { arrived, port: (app.address() as AddressInfo).port };
}

test('an app reads and labels the decision about its signup with the commands of the page about the API', async (t) => {
  const { arrived, port } = await openApp(t);
  const folder = temporaryFolder(t);
  const running = await startGatekeeperProcess(
    t,
    folder,
    `api: {listen: "127.0.0.1:0"}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${port}
  routes: [{name: web, path: /signup, mode: monitor}]
scoring: {dns: {enabled: false}}
`,
  );
  const made = await gatekeeper(folder, ...create.trim().split(' ').slice(1));
  t.regex(made.stdout, /^gk_live_\w{38}\n$/, made.stderr);
  const gateUrl = /The gate listens on (\S+)/.exec(running.output())?.[1] ?? '';
  const body = new URLSearchParams({ email: 'ada@mailinator.com' });
  t.is(await (await fetch(`${gateUrl}/signup`, { method: 'POST', body })).text(), 'welcome');

  const id = String(arrived.headers['x-gatekeeper-request-id']);
  t.is(decodeJwt(String(arrived.headers['x-gatekeeper-assertion'])).jti, id);
  const env = { ...process.env, REQUEST_ID: id, GATEKEEPER_KEY: made.stdout.trim() };
  const curl = async (command: string) =>
    (await run('sh', ['-c', command.replace('http://127.0.0.1:8080', running.url)], { env })).stdout;
  const decision = JSON.parse(await curl(find));
  t.like(decision, { request_id: id, door: 'gate', route: 'web', wanted_action: 'block', label: null });
  t.is(await curl(label), '');
  t.is(JSON.parse(await curl(find)).label, 'fraud');

  const plain = await gatekeeper(folder, 'keys', 'create', '--name', 'plain');
  env.GATEKEEPER_KEY = plain.stdout.trim();
  t.is(JSON.parse(await curl(find)).code, 'not_found');
});
