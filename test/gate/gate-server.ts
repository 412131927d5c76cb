import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Attempt } from '../../src/assessment/attempt.ts';
import { createPseudonymizer } from '../../src/assessment/identity.ts';
import type { Judge } from '../../src/assessment/judge.ts';
import type { Examination } from '../../src/assessment/processor.ts';
import type { Factor } from '../../src/assessment/reasons.ts';
import type { Config, ProxyConfig, RouteConfig, ServerConfig } from '../../src/config/config.ts';
import { createDecisionRecorder } from '../../src/decisions/decision-recorder.ts';
import { createFormVisits, type FormVisitsDependencies } from '../../src/gate/form-visits/form-visits.ts';
import { createGate, type Gate } from '../../src/gate/gate.ts';
import { type GateSettings, openGateSettings } from '../../src/gate/settings.ts';
import { createTransport } from '../../src/gate/transport/transport.ts';
import { openListener } from '../../src/http/listener.ts';
import { createDevelopmentMailbox } from '../../src/mail/development-mailbox.ts';
import type { Mailer } from '../../src/mail/mailer.ts';
import type { DecisionRecord } from '../../src/storage/decisions/decision-record.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { createVerification } from '../../src/verification/verification.ts';
import { openSite } from '../../src/web/site.ts';
import { defaultConfig } from '../helpers/default-config.ts';
import { openDatabase } from '../helpers/empty-database.ts';
import { route } from '../helpers/routes.ts';
import { createConstantJudge } from './constant-judge.ts';
import { type Arrived, openUpstream } from './remembering-app.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
export const ASSERTION_SECRET = 'the secret that was generated for these tests';

export interface GateServer {
  readonly gate: Gate;
  readonly url: string;
  readonly port: number;
  readonly upstream: { readonly requests: readonly Arrived[]; connections: number };
  readonly records: Storage;
  readonly databaseFile: string;
  readonly recorded: readonly DecisionRecord[];
  /** What the judge was asked about. */
  readonly judged: readonly Attempt[];
  /** Everything logged, a JSON object a line. */
  readonly log: readonly string[];
  readonly clock: { now: number };
  readonly metrics: Metrics;
  /** Replaces settings, as a reload of the configuration does. */
  reload(changed: Partial<GateSettings>): void;
  signUp(email: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

const PATIENCE_MS = 60_000;

export interface GateServerOptions {
  /** Without one: `/signup`, enforcing, `verify: {by: upstream}`. */
  readonly routes?: readonly RouteConfig[];
  readonly proxy?: Partial<ProxyConfig>;
  readonly config?: Partial<Config>;
  readonly limits?: Partial<ServerConfig>;
  readonly deny?: readonly string[];
  /** In place of the examinations that go by the email's local part. */
  readonly examine?: (factor: Factor, attempt: Attempt) => Examination | Promise<Examination>;
  readonly wrapJudge?: (judge: Judge) => Judge;
  /** The limit for a record; a minute when left out. */
  readonly recordWithinMs?: number;
  readonly record?: (decision: DecisionRecord, records: Storage) => Promise<string>;
  /** How many times over its limit the event loop lags. */
  readonly lag?: () => number;
  /** Whether this sender has too many waiting requests. Nobody, when left out. */
  readonly isLate?: (sender: string) => boolean;
  /** In place of the memory of one process. */
  readonly visits?: Partial<FormVisitsDependencies>;
  /** Takes the mails of the verification. */
  readonly mailer?: Mailer;
  readonly app?: (request: IncomingMessage, response: ServerResponse) => void;
  /** An app that runs already, in place of the one that remembers. */
  readonly upstreamUrl?: string;
}

/** The gate over real sockets and a real database, before an app that remembers what it got. */
export async function openGateServer(
  t: ExecutionContext,
  options: GateServerOptions = {},
): Promise<GateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-gate-'));
  const clock = { now: NOON };
  const metrics = createMetrics();
  const upstream = await openUpstream(options.app);
  const records = await openDatabase(join(folder, 'gatekeeper.db'), () => clock.now);
  const recorded: DecisionRecord[] = [];
  const judged: Attempt[] = [];
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => void lines.push(line) });
  const limits = { ...defaultConfig.server, ...options.limits };
  const proxy: ProxyConfig = {
    listen: '127.0.0.1:0',
    upstream: options.upstreamUrl ?? upstream.url,
    public_url: null,
    trusted_proxies: [],
    origins: [],
    client_ip_header: 'x-forwarded-for',
    // A busy machine answers late; no suite waits for one of them.
    timeouts: { connect: 20_000, response: 60_000 },
    tls: null,
    proxy_protocol: false,
    forward_auth: null,
    max_upstream_connections: 16,
    watch: true,
    routes: options.routes ?? [route('/signup')],
    ...options.proxy,
  };
  const judge = createConstantJudge(options, judged);
  const settings = {
    current: await openGateSettings({
      config: { ...defaultConfig, ...options.config },
      proxy,
      judge: options.wrapJudge ? options.wrapJudge(judge) : judge,
      assertionSecret: ASSERTION_SECRET,
      site: await openSite({ ...defaultConfig, ...options.config }.site),
    }),
  };
  const transport = createTransport({
    upstream: proxy.upstream,
    timeouts: proxy.timeouts,
    maxConnections: proxy.max_upstream_connections,
    body: { timeoutMs: limits.body_timeout, minBytesPerSecond: limits.min_body_rate },
    settings,
    metrics: metrics.gate,
    log,
  });
  const pseudonymize = createPseudonymizer('a secret for the tests of the gate');
  const config = { ...defaultConfig, ...options.config };
  const verification = createVerification({
    settings: () => ({
      verification: config.verification,
      review: config.review,
      publicUrl: proxy.public_url,
      origins: proxy.origins,
      site: settings.current.site,
    }),
    heldSignups: records.heldSignups,
    mailer: options.mailer ?? createDevelopmentMailbox(() => clock.now),
    holdSecrets: ['a secret to hold signups with'],
    metrics: metrics.verification,
    pseudonymize,
    clock: () => clock.now,
    log,
  });
  const gate = createGate({
    settings,
    transport,
    recorder: createDecisionRecorder({
      decisions: {
        record(decision) {
          recorded.push(decision);
          return options.record ? options.record(decision, records) : records.decisions.record(decision);
        },
      },
      ledger: records.ledger,
      metrics: metrics.decisions,
      log,
      // A busy machine is no slow disk.
      maxWaitMs: options.recordWithinMs ?? PATIENCE_MS,
    }),
    pseudonymize,
    formVisits: createFormVisits({
      ...{ pseudonymize, shared: null, hasSilentNodes: false, clock: () => clock.now },
      ...options.visits,
    }),
    verification,
    lag: {
      isOverloaded: (timesLimit = 1) => (options.lag?.() ?? 0) > timesLimit,
      isLate: (senderOf) => options.isLate?.(senderOf()) ?? false,
    },
    metrics: metrics.gate,
    limits,
    clock: () => clock.now,
    log,
  });
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits,
    handler: gate.handler,
    upgrades: gate.upgrades,
  });
  t.teardown(async () => {
    await listener.close();
    await transport.close();
    await verification.close();
    await upstream.close();
    await records.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const { port } = listener.address;
  const url = `http://127.0.0.1:${port}`;
  return {
    gate,
    url,
    port,
    upstream: upstream.seen,
    records,
    databaseFile: join(folder, 'gatekeeper.db'),
    recorded,
    judged,
    log: lines,
    clock,
    metrics,
    reload(changed) {
      settings.current = { ...settings.current, ...changed };
    },
    signUp: (email, headers = {}) =>
      fetch(`${url}/signup`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email }),
      }),
  };
}
