import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createMetricsPage } from '../../../src/dashboard/metrics/metrics-page.ts';

const TOKEN = '0123456789abcdefghijklmnopqrstuvwxyz';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cacheControl: string | undefined;
}

/** @param afterAsked The number of requests before the answer is rendered. */
async function openPage(t: ExecutionContext, token: string | null, afterAsked = 1) {
  const made = { count: 0, rendered: 0 };
  let asked = 0;
  let letRender = () => {};
  const allAsked = new Promise<void>((resolve) => {
    letRender = resolve;
  });
  const answersMetrics = createMetricsPage({
    token: () => token,
    exposition() {
      made.count++;
      return {
        contentType: 'text/plain',
        async render() {
          await allAsked;
          return `rendered ${++made.rendered}\n`;
        },
      };
    },
  });
  const server = createServer((incoming, response) => {
    if (++asked >= afterAsked) letRender();
    if (!answersMetrics(incoming, response)) response.writeHead(404).end('not there');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (headers: Record<string, string> = {}, method = 'GET', path = '/metrics') =>
    new Promise<Answer>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path, method, headers, agent: false }, async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        const cacheControl = response.headers['cache-control'];
        resolve({ status: response.statusCode ?? 0, body, cacheControl });
      })
        .on('error', reject)
        .end();
    });
  return { ask, made };
}

test('a client on this machine reads the metrics, and no cache stores them', async (t) => {
  const { ask } = await openPage(t, null);
  for (const host of ['localhost', 'LOCALHOST:8081', '127.0.0.1:9', '[::1]:8081']) {
    const { status, body, cacheControl } = await ask({ host });
    t.deepEqual([status, cacheControl], [200, 'no-store'], host);
    t.regex(body, /^rendered \d+\n$/);
  }
  t.deepEqual((await ask({ host: 'localhost' }, 'GET', '/metrics?x=1')).status, 200);
  const head = await ask({ host: 'localhost' }, 'HEAD');
  t.deepEqual([head.status, head.body], [200, '']);
});

test('a request with an unknown host name, or through a proxy, gets 404', async (t) => {
  const { ask } = await openPage(t, null);
  for (const headers of [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost', 'X-Forwarded-For': '203.0.113.7' },
    { host: 'localhost', forwarded: 'for=127.0.0.1' },
    { host: 'localhost', via: '1.1 proxy' },
    { host: 'localhost', 'x-forwarded-host': 'localhost' },
    { host: 'evil.example', authorization: `Bearer ${TOKEN}` },
  ]) {
    t.is((await ask(headers)).status, 404, JSON.stringify(headers));
  }
});

test('only the exact token gives access from other machines', async (t) => {
  const { ask } = await openPage(t, TOKEN);
  const from = { host: 'gatekeeper.example', 'x-forwarded-for': '203.0.113.7' };
  for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`]) {
    t.is((await ask({ ...from, authorization })).status, 200);
  }
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    TOKEN,
  ]) {
    t.is((await ask({ ...from, authorization })).status, 404, authorization);
  }
});

test('other methods and other paths are not answered here', async (t) => {
  const { ask } = await openPage(t, null);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    t.is((await ask({ host: 'localhost' }, method)).status, 404, method);
  }
  for (const path of ['/', '/metrics/', '/Metrics', '/metrics/x', '//metrics']) {
    t.is((await ask({ host: 'localhost' }, 'GET', path)).status, 404, path);
  }
});

test('metrics are created on the first request, and a hundred requests at once share one answer', async (t) => {
  const { ask, made } = await openPage(t, null, 100);
  t.deepEqual(made, { count: 0, rendered: 0 });
  await Promise.all(Array.from({ length: 100 }, () => ask({ host: 'localhost' })));
  t.deepEqual(made, { count: 1, rendered: 1 });
});
