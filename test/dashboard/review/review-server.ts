import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { Config, ProxyConfig } from '../../../src/config/config.ts';
import { defaultConfig } from '../../helpers/default-config.ts';
import { route } from '../../helpers/routes.ts';
import { openSmtpMailbox, type SmtpMailbox } from '../../helpers/smtp-mailbox.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';

/** A signup as the app behind the gate received it. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface App {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

/** An app behind the gate that remembers what it received, and answers 201. */
export async function startApp(t: ExecutionContext, port = 0): Promise<App> {
  const arrived: Arrived[] = [];
  const app: { answer: App['answer'] } = {
    answer: (_request, response) => void response.writeHead(201).end(),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', rawHeaders, headers } = request;
    arrived.push({ method, url, rawHeaders, headers, body: Buffer.concat(chunks) });
    app.answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(app, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
  });
}

export interface ReviewServer extends DashboardServer {
  readonly mailbox: SmtpMailbox;
  readonly gateUrl: string;
  /** The records, for another node. */
  readonly storage: Config['storage'];
  /** Signs up and returns the request id. `/held` waits for its sender, `/refused` is refused. */
  signUp(path: '/held' | '/refused', body?: string, headers?: Record<string, string>): Promise<string>;
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** A whole Gatekeeper: a gate before the app that holds and refuses by route, and its dashboard. */
export async function startReview(
  t: ExecutionContext,
  upstream: string,
  change: (config: Config) => Config = (config) => config,
  /** Another process on the same records. */
  beside?: Config['storage'],
): Promise<ReviewServer> {
  const mailbox = await openSmtpMailbox(t);
  const proxy: ProxyConfig = {
    ...{ listen: '127.0.0.1:0', upstream, public_url: null, trusted_proxies: [], origins: [] },
    ...{ client_ip_header: 'x-forwarded-for', timeouts: { connect: 2_000, response: 60_000 }, tls: null },
    ...{ proxy_protocol: false, forward_auth: null, max_upstream_connections: 16, watch: true },
    routes: [
      route('/held', { on_low: 'verify', on_medium: 'verify', on_high: 'verify', verify: { by: 'email' } }),
      route('/refused', { on_low: 'block', on_medium: 'block', on_high: 'block' }),
    ],
  };
  let storage = defaultConfig.storage;
  const server = await startDashboard(t, {
    config: (config) => {
      storage = beside ?? config.storage;
      return change({
        ...config,
        proxy,
        mail: { ...defaultConfig.mail, smtp: mailbox.url },
        verification: { ...config.verification, hold_secrets: ['a hold secret of these tests, 32 long'] },
        storage,
      });
    },
  });
  const gateUrl = server.gatekeeper.gate?.url ?? '';
  return {
    ...{ ...server, mailbox, gateUrl, storage },
    async signUp(path, body = 'email=jane%40example.com&name=Jane', headers = {}) {
      const response = await fetch(gateUrl + path, {
        ...({ method: 'POST', body, redirect: 'manual' } as const),
        headers: { ...FORM, ...headers },
      });
      await response.arrayBuffer();
      return response.headers.get('x-request-id') ?? '';
    },
  };
}
