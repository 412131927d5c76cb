import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import test from 'ava';
import { untilDefaultPortsAreFree } from '../helpers/default-ports.ts';
import { assertWhole, untilCaught } from '../helpers/disturbed-start.ts';
import {
  gatekeeper,
  launchGatekeeper,
  spawnServe,
  startGatekeeperProcess,
} from '../helpers/gatekeeper-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const CONFIG = 'api: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\n';
const ATTEMPT = { email: 'jane.doe@gmail.com', ip_address: '2.125.160.216' };

function score(url: string, key: string, body: object = ATTEMPT): Promise<Response> {
  return fetch(`${url}/score-signup`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The answer's body. */
async function scored(response: Promise<Response>) {
  return (await (await response).json()) as {
    readonly trust_score: number;
    readonly risk_level: string;
    readonly reasons: readonly { readonly reason_code: string }[];
    readonly request_id: string;
  };
}

async function createKey(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await gatekeeper(folder, 'keys', 'create', ...args);
  return stdout.trim();
}

test.serial.before(untilDefaultPortsAreFree);

test.serial(
  'the first run prints a key and a curl that answers with a score, and the second run prints neither',
  async (t) => {
    const folder = temporaryFolder(t);
    const first = await spawnServe(t, folder, []);
    await first.said('curl');
    const [, curl = ''] = /^ {2}curl (.*)$/m.exec(first.output()) ?? [];
    const args = [...curl.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const { stdout } = await promisify(execFile)('curl', args);
    const answer = JSON.parse(stdout);
    t.deepEqual(Object.keys(answer), ['trust_score', 'risk_level', 'reasons', 'request_id', 'processed_at']);
    t.deepEqual(
      answer.reasons.map((reason: { factor: string }) => reason.factor),
      ['email', 'ip_address', 'velocity', 'user_agent'],
    );
    for (const reason of answer.reasons) {
      t.deepEqual(Object.keys(reason), ['factor', 'score', 'reason_code', 'description', 'risk_level']);
    }
    t.is(answer.risk_level, 'low');
    t.is((await stat(join(folder, 'data/gatekeeper.db'))).mode & 0o077, 0);
    t.is(await first.end('SIGTERM'), 0);

    const second = await spawnServe(t, folder, ['serve']);
    t.false(second.output().includes('gk_live_'));
    t.is(await second.end('SIGINT'), 0);
  },
);

const testOnLinux = process.platform === 'linux' ? test.serial : test.serial.skip;

testOnLinux('a first run that is stopped at any moment leaves no key that was not shown', async (t) => {
  const folder = temporaryFolder(t);
  const timesShown = (output: string) => output.split('Your first API key').length - 1;
  let shown = 0;
  for (let delayMs = 50; delayMs <= 1_600 && shown === 0; delayMs *= 2) {
    const launched = launchGatekeeper(t, folder, []);
    await untilCaught(launched, 'SIGHUP');
    await wait(delayMs);
    launched.process.kill('SIGHUP');
    t.is(await launched.end('SIGTERM'), 0, launched.output());
    assertWhole(t, folder, `after ${delayMs} ms`);
    shown = timesShown(launched.output());
    const { stdout } = await gatekeeper(folder, 'keys', 'list', '--json');
    t.is((JSON.parse(stdout) as readonly unknown[]).length, shown, `after ${delayMs} ms`);
  }
  const undisturbed = await spawnServe(t, folder, []);
  await undisturbed.said('The dashboard is at ');
  t.is(await undisturbed.end('SIGTERM'), 0);
  t.is(shown + timesShown(undisturbed.output()), 1);
});

test('a key is made, used, listed and revoked beside the running server', async (t) => {
  const folder = temporaryFolder(t);
  const server = await startGatekeeperProcess(t, folder, CONFIG);
  const key = await createKey(folder, '--name', 'shop', '--plan', 'pro');
  t.regex(key, /^gk_live_[0-9A-Za-z]{38}$/);
  t.is((await score(server.url, key)).status, 200);
  t.is((await gatekeeper(folder, 'keys', 'create', '--name', 'shop')).code, 1);
  t.regex((await gatekeeper(folder, 'keys', 'list')).stdout, new RegExp(`shop.*${key.slice(-4)}.*pro`));
  t.is((await gatekeeper(folder, 'keys', 'revoke', 'shop')).code, 0);
  // Within a second of the revocation, the process that runs it included.
  const deadline = Date.now() + 1000;
  let status = 0;
  while (status !== 401 && Date.now() < deadline) status = (await score(server.url, key)).status;
  t.is(status, 401);
});

test('a mistake in the configuration ends the command with code 1, its place and a suggestion', async (t) => {
  const folder = temporaryFolder(t);
  await writeFile(join(folder, 'gatekeeper.yaml'), 'scoring:\n  levls: {low: 70}\n');
  for (const command of ['check', 'serve']) {
    const { code, stderr } = await gatekeeper(folder, command);
    t.is(code, 1);
    t.regex(stderr, /gatekeeper\.yaml:2:3.*levls.*levels/s);
  }
});

test('a changed file is taken over within seconds, and a bad one is refused while the old one stays', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'gatekeeper.yaml');
  const server = await startGatekeeperProcess(t, folder, CONFIG);
  const key = await createKey(folder, '--name', 'shop');
  t.is((await scored(score(server.url, key))).risk_level, 'low');
  await writeFile(file, `${CONFIG}lists: {deny: [gmail.com]}\n`);
  await server.said('the changed configuration is active');
  const denied = await scored(score(server.url, key));
  t.like(denied, { trust_score: 0, risk_level: 'high', reasons: [{ reason_code: 'denylisted_email' }] });
  await writeFile(file, 'lists: {deny: [not an entry]}\n');
  await server.said('the changed configuration is invalid');
  t.is((await scored(score(server.url, key))).trust_score, 0);
  await writeFile(file, CONFIG);
  server.process.kill('SIGHUP');
  await server.said('configuration is active', 2);
});

test('gatekeeper score explains an attempt and touches no storage', async (t) => {
  const folder = temporaryFolder(t);
  await writeFile(join(folder, 'gatekeeper.yaml'), CONFIG);
  const args = ['score', '--email', 'x@mailinator.com', '--ip', '127.0.0.1', '--user-agent', 'curl/8.5.0'];
  const table = await gatekeeper(folder, ...args);
  t.is(table.code, 0);
  t.regex(table.stdout, /Trust score 20, high risk/);
  t.regex(table.stdout, /-100 {2}disposable_email/);
  t.regex(table.stdout, /Capped at 20 by decisive/);
  const json = JSON.parse((await gatekeeper(folder, ...args, '--json')).stdout);
  t.is(json.trust_score, 20);
  await t.throwsAsync(stat(join(folder, 'data')), { code: 'ENOENT' });
  t.is((await gatekeeper(folder, 'score', '--email', 'x', '--ip', 'y')).code, 1);
});

test('gatekeeper erase removes what is stored about a mailbox under any of its spellings', async (t) => {
  const folder = temporaryFolder(t);
  const server = await startGatekeeperProcess(t, folder, CONFIG);
  const key = await createKey(folder, '--name', 'shop');
  const { request_id } = await scored(score(server.url, key, { ...ATTEMPT, email: 'J.ane+x@gmail.com' }));
  const find = () => fetch(`${server.url}/decisions/${request_id}`, { headers: { 'x-api-key': key } });
  t.is((await find()).status, 200);
  t.regex((await gatekeeper(folder, 'erase', 'jane@googlemail.com')).stdout, /Erased 1 decision/);
  t.is((await find()).status, 404);
});

async function fire(
  url: string,
  key: string,
  count: number,
  concurrency: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let sent = 0;
  const worker = async () => {
    while (sent < count) {
      const i = sent++;
      const body = { email: `person${i}@company${i % 97}.com`, ip_address: `81.${i % 200}.${i % 251}.7` };
      const status = await score(url, key, body).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return statuses;
}

async function used(url: string, key: string): Promise<number> {
  const usage = await fetch(`${url}/usage`, { headers: { 'x-api-key': key } });
  return ((await usage.json()) as { readonly used: number }).used;
}

test.serial(
  'a hobby key and 2,000 requests at concurrency 200 give exactly 1,000 answers and 1,000 refusals',
  async (t) => {
    const folder = temporaryFolder(t);
    const server = await startGatekeeperProcess(t, folder, CONFIG);
    const key = await createKey(folder, '--name', 'hobbyist');
    const statuses = await fire(server.url, key, 2000, 200);
    t.deepEqual([...statuses].sort(), [
      [200, 1000],
      [429, 1000],
    ]);
    t.is(await used(server.url, key), 1000);
  },
);

test.serial('kill -9 in mid-load loses no acknowledged count and counts none twice', async (t) => {
  const folder = temporaryFolder(t);
  let server = await startGatekeeperProcess(t, folder, CONFIG);
  const key = await createKey(folder, '--name', 'busy', '--plan', 'unlimited');
  const concurrency = 50;
  let acknowledged = 0;
  for (let round = 1; round <= 3; round++) {
    const load = fire(server.url, key, 2000, concurrency);
    while ((await used(server.url, key)) < acknowledged + 100 * round) await new Promise(setImmediate);
    await server.end('SIGKILL');
    acknowledged += (await load).get(200) ?? 0;
    server = await startGatekeeperProcess(t, folder, CONFIG);
    const counted = await used(server.url, key);
    // What was committed and not yet answered when the process died may be counted, and nothing else.
    t.true(counted >= acknowledged, `${counted} counted, ${acknowledged} acknowledged`);
    t.true(counted <= acknowledged + concurrency, `${counted} counted, ${acknowledged} acknowledged`);
    acknowledged = counted;
  }
});

test('a start that fails half-way closes what was open, and ends with 2', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const folder = temporaryFolder(t);
  const config = `api: {listen: "127.0.0.1:${port}"}
dashboard: {listen: "127.0.0.1:0"}
proxy: {listen: "127.0.0.1:0", upstream: "http://127.0.0.1:1", routes: [{name: web, path: /signup, verify: {by: upstream}}]}
`;
  await writeFile(join(folder, 'gatekeeper.yaml'), config);
  const { code, stderr } = await gatekeeper(folder, 'serve');
  t.is(code, 2);
  t.regex(stderr, new RegExp(`cannot listen on 127.0.0.1:${port}`));
});
