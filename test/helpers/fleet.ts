import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { type RunningGatekeeper, spawnServe } from './gatekeeper-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Processes of `gatekeeper serve` on one configuration that share an engine, in front of one app. */
export interface Fleet {
  readonly nodes: readonly FleetNode[];
  /** Asks the API of the next node. */
  score(signup: Signup): Promise<ScoredSignup>;
  /** Signs up through the gate of the next node. */
  signUp(signup: Signup): Promise<number>;
  /** Signups that the app received. */
  received(): number;
  /** Those of them that the gate marked: judged or stored incompletely. */
  receivedDegraded(): number;
}

export interface FleetNode {
  readonly running: RunningGatekeeper;
  readonly gateUrl: string;
  /** Between this node and the server of the counters; null where the fleet was given a URL. */
  readonly countersProxy: FaultProxy | null;
  /** Between this node and PostgreSQL; null where the records are in SQLite. */
  readonly recordsProxy: FaultProxy | null;
  score(signup: Signup): Promise<ScoredSignup>;
  signUp(signup: Signup): Promise<number>;
  /** The status of a scoring with this key, and its `Retry-After`. */
  scoreAs(
    key: string,
    signup: Signup,
  ): Promise<{ readonly status: number; readonly retryAfter: string | null }>;
  /** What is stored about a decision of the API. */
  decision(requestId: string): Promise<StoredDecision>;
  /** `GET /readyz`. */
  ready(): Promise<Ready>;
  /** The sum of a metric over its series, or of those whose labels contain the text. */
  metric(name: string, labels?: string): Promise<number>;
}

export interface Ready {
  readonly status: number;
  readonly counters: string | undefined;
  readonly records: string | undefined;
}

export interface Signup {
  readonly email: string;
  readonly ip: string;
  readonly user_agent?: string;
}

export interface ScoredSignup {
  readonly status: number;
  readonly requestId: string;
  /** Score, level and reasons, as one text. */
  readonly verdict: string;
  readonly node: FleetNode;
}

export interface StoredDecision {
  readonly degraded: boolean;
  readonly factors: readonly {
    readonly factor: string;
    readonly findings: readonly { readonly code: string; readonly evidence: unknown }[];
  }[];
}

export interface FleetOptions {
  readonly size: number;
  /** The port of a Redis server, reached through a proxy of each node, or `storage.counters` for all. */
  readonly counters: number | string;
  /** One SQLite file for all nodes, or one each, or one database of PostgreSQL, reached through a proxy of each node. */
  readonly records: 'one' | 'each' | { readonly postgres: string };
  /** Nodes with the API alone have no gate; left out: all nodes have both doors. */
  readonly doors?: 'both' | 'api';
  /** Of the plan; left out: no limit. */
  readonly requestsPerMinute?: number;
}

const KEY = 'the key of a fleet';
/** A request that takes longer hangs. */
const HANGS_AFTER_MS = 30_000;

export async function startFleet(t: ExecutionContext, options: FleetOptions): Promise<Fleet> {
  const app = await openApp(t);
  const folder = temporaryFolder(t);
  const nodes: FleetNode[] = [];
  // One after the other: the first makes the file and the secrets beside it.
  for (let i = 0; i < options.size; i++)
    nodes.push(await startNode(t, { ...options, folder, app, name: `node-${i}` }));
  let turn = 0;
  const next = () => {
    const node = nodes[turn++ % nodes.length];
    if (!node) throw new Error('a fleet has at least one node');
    return node;
  };
  return {
    nodes,
    score: (signup) => next().score(signup),
    signUp: (signup) => next().signUp(signup),
    received: app.received,
    receivedDegraded: app.receivedDegraded,
  };
}

async function openApp(t: ExecutionContext) {
  let received = 0;
  let degraded = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received++;
      if (request.headers['x-gatekeeper-degraded'] === 'true') degraded++;
      response.writeHead(201).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received: () => received, receivedDegraded: () => degraded };
}

interface NodeOptions extends FleetOptions {
  readonly folder: string;
  readonly name: string;
  readonly app: { readonly url: string };
}

async function startNode(t: ExecutionContext, options: NodeOptions): Promise<FleetNode> {
  const { folder, name, records, app, counters } = options;
  const countersProxy = typeof counters === 'number' ? await openFaultProxy(counters) : null;
  const recordsProxy = typeof records === 'object' ? await openFaultProxy(portOf(records.postgres)) : null;
  t.teardown(() => Promise.all([countersProxy?.close(), recordsProxy?.close()]));
  const hasGate = options.doors !== 'api';
  const ownFolder = join(folder, name);
  mkdirSync(ownFolder);
  const config = {
    api: {
      listen: '127.0.0.1:0',
      keys: [{ name: 'fleet', sha256: hash('sha256', KEY), plan: 'fleet' }],
      plans: { fleet: { requests_per_minute: options.requestsPerMinute ?? null } },
    },
    ...(hasGate && {
      proxy: {
        listen: '127.0.0.1:0',
        upstream: app.url,
        trusted_proxies: ['127.0.0.1'],
        routes: [{ name: 'web', path: '/signup', verify: { by: 'upstream' } }],
      },
      verification: { hold_secrets: ['all nodes of this fleet open held signups'] },
      assertion: { keys: [{ id: 'k1', secret: 'all nodes of this fleet sign with this' }] },
    }),
    dashboard: { listen: '127.0.0.1:0' },
    scoring: { dns: { enabled: false } },
    storage: {
      records:
        typeof records === 'object'
          ? throughProxy(records.postgres, recordsProxy)
          : `sqlite:${join(records === 'one' ? folder : ownFolder, 'gatekeeper.db')}`,
      counters: countersProxy ? `redis://127.0.0.1:${countersProxy.port}` : counters,
    },
    privacy: { hash_secret: 'all nodes of this fleet share this secret' },
    // What a busy machine refuses is not what is tried here.
    server: { max_lag: '60s' },
  };
  writeFileSync(join(ownFolder, 'gatekeeper.yaml'), JSON.stringify(config));
  const running = await spawnServe(t, ownFolder, ['serve']);
  await running.said('The dashboard is at ');
  if (hasGate) await running.said('The gate listens on ');
  await running.said('\n', hasGate ? 3 : 2);
  const urlAfter = (text: string) => new RegExp(`${text} (\\S+)`).exec(running.output())?.[1] ?? '';
  const metricsUrl = `${new URL(urlAfter('The dashboard is at')).origin}/metrics`;
  const gateUrl = urlAfter('The gate listens on');
  const call = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(HANGS_AFTER_MS) });
  const callScore = (key: string, { email, ip, user_agent }: Signup) =>
    call(`${running.url}/score-signup`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, ip_address: ip, user_agent }),
    });

  const node: FleetNode = {
    ...{ running, gateUrl, countersProxy, recordsProxy },
    async score(signup) {
      const response = await callScore(KEY, signup);
      const body = (await response.json()) as {
        readonly trust_score: number;
        readonly risk_level: string;
        readonly request_id: string;
        readonly reasons?: readonly { readonly reason_code: string }[];
      };
      const reasons = (body.reasons ?? []).map(({ reason_code }) => reason_code);
      const verdict = [body.trust_score, body.risk_level, ...reasons].join(' ');
      return { status: response.status, requestId: body.request_id, verdict, node };
    },
    async scoreAs(key, signup) {
      const response = await callScore(key, signup);
      await response.arrayBuffer();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    },
    async signUp({ email, ip, user_agent }) {
      const response = await call(`${gateUrl}/signup`, {
        method: 'POST',
        headers: { 'x-forwarded-for': ip, ...(user_agent && { 'user-agent': user_agent }) },
        body: new URLSearchParams({ email, password: 'correct horse' }),
      });
      await response.arrayBuffer();
      return response.status;
    },
    async decision(requestId) {
      const response = await call(`${running.url}/decisions/${requestId}`, { headers: { 'x-api-key': KEY } });
      return (await response.json()) as StoredDecision;
    },
    async ready() {
      const response = await call(`${running.url}/readyz`);
      const { counters, records: state } = (await response.json()) as Partial<Ready>;
      return { status: response.status, counters, records: state };
    },
    async metric(name, labels = '') {
      const text = await (await call(metricsUrl)).text();
      const series = text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'));
      let sum = 0;
      for (const [, own = '', value] of series) if (own.includes(labels)) sum += Number(value);
      return sum;
    },
  };
  return node;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function throughProxy(url: string, proxy: FaultProxy | null): string {
  const through = new URL(url);
  through.port = String(proxy?.port ?? through.port);
  return through.href;
}
