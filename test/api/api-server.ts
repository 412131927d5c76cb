import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { createApiKey, sha256OfKey } from '../../src/accounts/api-key-format.ts';
import { type Api, createApi } from '../../src/api/api-app.ts';
import type { ApiSettings } from '../../src/api/api-settings.ts';
import type { ApiDependencies } from '../../src/api/exchange.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import { createJudge } from '../../src/assessment/judge.ts';
import { compileLists } from '../../src/assessment/lists.ts';
import type { Examination, Processor } from '../../src/assessment/processor.ts';
import type { Factor } from '../../src/assessment/reasons.ts';
import type { PlanConfig, ServerConfig } from '../../src/config/config.ts';
import { createMemoryCounters } from '../../src/counters/memory-counters.ts';
import { createDecisionRecorder } from '../../src/decisions/decision-recorder.ts';
import { openListener } from '../../src/http/listener.ts';
import { peerAddress } from '../../src/http/proxy-protocol.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { DEFAULT_POLICY, examinations } from '../helpers/examinations.ts';

export const LIMITS: ServerConfig = {
  head_timeout: 15_000,
  body_timeout: 60_000,
  min_body_rate: 1_024,
  // A busy client must not send on a connection that this server is closing.
  idle_timeout: 75_000,
  stop_delay: null,
  drain_timeout: 10_000,
  max_header_lines: 200,
  max_head: 16_384,
  max_connections: 10_000,
  max_lag: 200,
};

export const PLANS: Readonly<Record<string, PlanConfig>> = {
  hobby: { requests_per_month: 1_000 },
  tiny: { requests_per_month: 3 },
  brisk: { requests_per_month: 1_000, requests_per_minute: 2 },
  unlimited: {},
};

/** Noon of a day in a month of 30 days: 9 days and 12 hours before the month turns. */
export const NOON = Date.UTC(2026, 10, 21, 12);
export const SECONDS_TO_DECEMBER = 9 * 86_400 + 43_200;
export const SIGNUP = { email: 'ada@example.com', ip_address: '198.51.100.7', user_agent: 'Mozilla/5.0' };
export const UNKNOWN_ID = '01a1fdfa-4600-7d2d-8ff2-0917b82a1b08';

export interface ApiServer {
  readonly api: Api;
  readonly port: number;
  readonly url: string;
  readonly records: Storage;
  /** Everything logged, a JSON object a line. */
  readonly log: readonly string[];
  readonly clock: { now: number };
  readonly metrics: Metrics;
  /** All attempts that the velocity processor examined. */
  readonly judged: { count: number };
  createKey(options?: {
    plan?: string;
    test?: boolean;
    scope?: 'gate' | null;
    accountId?: string;
    name?: string;
  }): Promise<string>;
  post(body: unknown, options?: CallOptions): Promise<Answer>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  reopen(): Promise<ApiServer>;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is asserted, not typed
  readonly json: any;
}

export interface ServerOptions extends Partial<Pick<ApiDependencies, 'readiness' | 'lag'>> {
  readonly folder?: string;
  /** Runs between the judge and the four constant examinations. */
  readonly examine?: (factor: Factor) => Examination | Promise<Examination>;
  readonly limits?: Partial<ServerConfig>;
  readonly wrapRecords?: (records: Storage) => Storage;
  readonly testRequestsPerMinute?: number;
  readonly storePlain?: boolean;
}

/** The API over real sockets and a real database, with processors that find nothing wrong. */
export async function openApiServer(t: ExecutionContext, options: ServerOptions = {}): Promise<ApiServer> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'gatekeeper-api-'));
  const clock = { now: NOON };
  const metrics = createMetrics();
  const judged = { count: 0 };
  const log: string[] = [];
  const opened = await openDatabase(join(folder, 'gatekeeper.db'), () => clock.now);
  const records = options.wrapRecords ? options.wrapRecords(opened) : opened;
  const clean = examinations();
  const processors = Object.keys(clean).map((name): Processor => {
    const factor = name as Factor;
    return {
      factor,
      examine() {
        if (factor === 'velocity') judged.count++;
        return options.examine ? options.examine(factor) : (clean[factor] as Examination);
      },
    };
  });
  const judge = createJudge({
    processors,
    policy: DEFAULT_POLICY,
    configuredRevision: 'policy-1',
    lists: compileLists({ allow: [], deny: [] }, () => ({ asn: null, country: null })),
    data: { current: { revision: 'data-1' } },
    deadlineMs: 250,
    now: () => performance.now(),
    onFailure: () => {},
  });
  await records.decisions.savePolicy('policy-1', DEFAULT_POLICY);
  const settings: ApiSettings = {
    judge,
    plans: PLANS,
    testRequestsPerMinute: options.testRequestsPerMinute ?? 600,
    storePlain: options.storePlain ?? false,
  };
  const limits = { ...LIMITS, ...options.limits };
  const logger = createLogger({ level: 'debug', format: 'json', write: (line) => void log.push(line) });
  const api = createApi({
    settings: () => settings,
    records,
    recorder: createDecisionRecorder({
      decisions: records.decisions,
      ledger: records.ledger,
      metrics: metrics.decisions,
      log: logger,
    }),
    counters: createMemoryCounters({ maxKeysPerDimension: 64, membersPerKey: 64 }),
    pseudonymize: createPseudonymizer('a secret for the tests of the api'),
    limits,
    lag: options.lag ?? { isOverloaded: () => false, isLate: () => false },
    senderOf: (request) => peerAddress(request.socket),
    readiness: options.readiness ?? (() => ({ ready: true })),
    metrics: metrics.api,
    clock: () => clock.now,
    log: logger,
  });
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits,
    handler: api.handler,
  });
  const close = async () => {
    await listener.close();
    await opened.close();
  };
  t.teardown(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const url = `http://127.0.0.1:${listener.address.port}`;
  let defaultKey: Promise<string> | null = null;

  async function call(
    method: string,
    path: string,
    { key, headers = {}, body }: CallOptions = {},
  ): Promise<Answer> {
    defaultKey ??= key === undefined ? server.createKey() : null;
    const usedKey = key === undefined ? await (defaultKey ?? server.createKey()) : key;
    const response = await fetch(url + path, {
      method,
      headers: { ...(usedKey !== null && { 'x-api-key': usedKey }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  }

  let made = 0;
  const server: ApiServer = {
    api,
    port: listener.address.port,
    url,
    records,
    log,
    clock,
    metrics,
    judged,
    async createKey({ plan = 'hobby', test = false, scope = null, accountId, name = `key-${++made}` } = {}) {
      const key = createApiKey({ test });
      const id = accountId ?? (await records.accounts.ensure({ name, plan })).id;
      await records.apiKeys.create({
        accountId: id,
        name,
        sha256: sha256OfKey(key),
        lastFour: key.slice(-4),
        test,
        scope,
        expiresAt: null,
      });
      return key;
    },
    post: (body, callOptions = {}) =>
      call('POST', '/score-signup', {
        ...callOptions,
        headers: { 'content-type': 'application/json', ...callOptions.headers },
        body: callOptions.body ?? JSON.stringify(body),
      }),
    call,
    async reopen() {
      await close();
      return openApiServer(t, { ...options, folder });
    },
  };
  return server;
}
