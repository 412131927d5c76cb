import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { loadConfig } from '../../src/config/load.ts';
import { startGatekeeper } from '../../src/gatekeeper/start-gatekeeper.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { knownNames } from '../config/known-names.ts';
import { writeEmptyDatabase } from '../helpers/empty-database.ts';
import { openOtlpReceiver, type ReceivedSpan } from '../helpers/otlp-receiver.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const KEY = 'key-of-the-test';
const SHA256 = createHash('sha256').update(KEY).digest('hex');
const EMAIL = 'jane.doe@acme.example';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
export const CONTEXT = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

async function openApp(t: ExecutionContext) {
  const seen: IncomingHttpHeaders[] = [];
  const app = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on('end', () => {
      response.writeHead(request.url === '/broken' ? 500 : 200).end('from the app');
    });
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  t.teardown(() => {
    app.closeAllConnections();
    app.close();
  });
  return { seen, port: (app.address() as AddressInfo).port };
}

export async function start(
  t: ExecutionContext,
  { trusted = '[]', trustedProxies = '[]', counters = 'memory', smtp = 'null' } = {},
) {
  const receiver = await openOtlpReceiver(t);
  const app = await openApp(t);
  const folder = temporaryFolder(t);
  const text = `
api: {listen: "127.0.0.1:0", keys: [{name: test, sha256: ${SHA256}, plan: limited}], plans: {limited: {requests_per_minute: 1000}}}
proxy:
  listen: 127.0.0.1:0
  upstream: http://127.0.0.1:${app.port}
  trusted_proxies: ${trustedProxies}
  routes:
    - {path: /signup, on_low: forward, on_medium: forward, on_high: forward}
    - {path: /mailed, on_low: verify, on_medium: verify, on_high: verify}
dashboard: {listen: "127.0.0.1:0"}
scoring: {dns: {enabled: false}}
mail: {smtp: ${smtp}}
storage: {records: "sqlite:${folder}/gatekeeper.db", counters: "${counters}"}
server: {max_lag: 60s, drain_timeout: 5s}
telemetry: {traces: {otlp: "${receiver.url}", trusted_sources: ${trusted}}}
`;
  const { config } = loadConfig({ file: null, text, env: {}, knownNames });
  await writeEmptyDatabase(`${folder}/gatekeeper.db`);
  const log = createLogger({ level: 'silent', format: 'json', write: () => {} });
  const gatekeeper = await startGatekeeper({ config, log, clock: Date.now, makeFirstKey: false });
  t.teardown(() => gatekeeper.stop());
  const score = (headers: Readonly<Record<string, string>> = {}, body: string = signup()) =>
    fetch(`${gatekeeper.apiUrl}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
      body,
    });
  const atGate = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${gatekeeper.gate?.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'user-agent': AGENT,
        ...headers,
      },
      body: new URLSearchParams({ email: EMAIL }),
    });
  return { receiver, app, gatekeeper, score, atGate };
}

function signup(): string {
  return JSON.stringify({ email: EMAIL, ip_address: '203.0.113.77', user_agent: AGENT });
}

export const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan) =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .map(({ name }) => name)
    .sort();
