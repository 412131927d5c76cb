import test from 'ava';
import { type RunningGatekeeper, startGatekeeperProcess } from '../helpers/gatekeeper-process.ts';
import { REDIS_PROGRAMS, startRedis } from '../helpers/redis-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

/** Longer than this test takes: a second signal ends it. */
const DELAYED = 'server: {stop_delay: 10m, max_lag: 60s}\n';
const BASE = 'api: {listen: "127.0.0.1:0"}\nscoring: {dns: {enabled: false}}\n';

const statusOf = async (url: string) => (await fetch(url, { headers: { connection: 'close' } })).status;

async function staysOpen({ url, process, ended }: RunningGatekeeper): Promise<number | null> {
  process.kill('SIGTERM');
  // A new connection may reach any worker.
  await until(async () => {
    for (let i = 0; i < 6; i++) if ((await statusOf(`${url}/readyz`)) !== 503) return false;
    return true;
  });
  // 401: it reads requests on new connections.
  for (let i = 0; i < 5; i++) {
    if ((await statusOf(`${url}/usage`)) !== 401) throw new Error('a request was refused');
  }
  process.kill('SIGTERM');
  return await ended;
}

test('after SIGTERM, requests are accepted for stop_delay while /readyz says 503', async (t) => {
  const running = await startGatekeeperProcess(t, temporaryFolder(t), BASE + DELAYED);
  t.is(await statusOf(`${running.url}/readyz`), 200);
  t.is(await staysOpen(running), 1, 'a second signal ends it at once');
});

test('the delay ends by itself, and then the process stops', async (t) => {
  const config = `${BASE}server: {stop_delay: 500ms, max_lag: 60s}\n`;
  const running = await startGatekeeperProcess(t, temporaryFolder(t), config);
  t.is(await running.end('SIGTERM'), 0);
});

const testRedis = REDIS_PROGRAMS.length > 0 ? test : test.skip;

testRedis('all workers say so, and go on accepting', async (t) => {
  const redis = await startRedis();
  t.teardown(() => redis.stop());
  const shared = `workers: 2\nstorage: {counters: "redis://127.0.0.1:${redis.port}"}\n`;
  const running = await startGatekeeperProcess(t, temporaryFolder(t), BASE + shared + DELAYED);
  t.is(await staysOpen(running), 1);
});
