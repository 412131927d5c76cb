import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createSecureContext } from 'node:tls';
import { cidrContains, parseIpAddress } from '../addresses/ip-address.ts';
import type { Judge } from '../assessment/judge.ts';
import type { Config, ProxyConfig } from '../config/config.ts';
import { addressUrl, parseListenAddress } from '../config/listen-address.ts';
import type { SharedSightings } from '../counters/counters.ts';
import type { TlsFiles } from '../http/http-server.ts';
import { type Listener, type ListenerOptions, openListener } from '../http/listener.ts';
import { logFull } from '../http/open-connections.ts';
import { traceRequests } from '../telemetry/trace-requests.ts';
import type { Site } from '../web/site.ts';
import { createFormVisits } from './form-visits/form-visits.ts';
import { createGate, type Gate, type GateDependencies } from './gate.ts';
import { type GateSettings, openGateSettings } from './settings.ts';
import { traceTransport } from './trace-gate.ts';
import { createTransport } from './transport/transport.ts';
import { peerOf } from './transport/upstream-request.ts';

/** The gate with its listener and its upstream connections. */
export interface OpenGate
  extends Pick<
    Gate,
    'senderOf' | 'seesUntrustedForwarding' | 'unjudgedSignups' | 'missingEmails' | 'replayReviewed'
  > {
  readonly address: Listener['address'];
  /** The URL of the gate on this machine. Links start with it when the configuration has no `public_url`. */
  readonly ownUrl: string;
  /** The end of the certificate that new connections get, in milliseconds since the epoch; null without TLS. */
  certificateExpiresAt(): number | null;
  /**
   * Reads the pages and certificates of a changed configuration.
   * @returns a function that replaces routes, trusted proxies, assertion keys, pages and certificates without losing a
   * request. It cannot fail.
   * @throws Error that names the unusable file or key.
   */
  prepare(config: Config, judge: Judge, site: Site): Promise<() => void>;
  /**
   * Stops accepting, finishes the running requests, then closes the upstream connections.
   * @param withinMs the time limit; the default is `server.drain_timeout`.
   */
  close(withinMs?: number): Promise<void>;
}

export interface OpenGateOptions
  extends Pick<ListenerOptions, 'accept' | 'ticketKeys'>,
    Pick<
      GateDependencies,
      'recorder' | 'pseudonymize' | 'verification' | 'lag' | 'metrics' | 'tracer' | 'clock' | 'log'
    > {
  readonly config: Config;
  readonly proxy: ProxyConfig;
  readonly judge: Judge;
  readonly site: Site;
  /** The visits that other processes saw; null when counters are not shared. */
  readonly sightings: SharedSightings | null;
  /** Whether other nodes may use the same records. */
  readonly mayHaveNodes: boolean;
  /** Signs assertions when no key is configured. */
  readonly assertionSecret: string;
  /** A handler that comes first on the same listener; null when it has its own listener. */
  readonly before: { readonly handler: RequestListener; answers(target: string): boolean } | null;
}

/** @throws Error that names the unusable file, key or address. */
export async function openGate(options: OpenGateOptions): Promise<OpenGate> {
  const { config, proxy, assertionSecret, before, tracer = null, log } = options;
  const limits = config.server;
  const settings = {
    current: await openGateSettings({
      config,
      proxy,
      assertionSecret,
      judge: options.judge,
      site: options.site,
    }),
  };
  const untraced = createTransport({
    upstream: proxy.upstream,
    timeouts: proxy.timeouts,
    maxConnections: proxy.max_upstream_connections,
    processes: config.workers,
    body: { timeoutMs: limits.body_timeout, minBytesPerSecond: limits.min_body_rate },
    settings,
    metrics: options.metrics,
    log,
  });
  const transport = tracer
    ? traceTransport(untraced, { tracer, upstream: proxy.upstream, settings })
    : untraced;
  const { sightings } = options;
  const formVisits = createFormVisits({
    pseudonymize: options.pseudonymize,
    shared: sightings,
    hasSilentNodes: sightings === null && options.mayHaveNodes,
    clock: options.clock,
  });
  const gate = createGate({
    ...options,
    settings,
    transport,
    formVisits,
    limits,
    processes: config.workers,
  });
  const continuesTrace = (request: IncomingMessage) => {
    const { trusted, address } = peerOf(request, settings.current.trust);
    return trusted || (tracer?.trusts(address) ?? false);
  };
  const handler = tracer
    ? traceRequests(gate.handler, { tracer, door: 'gate', isTrusted: continuesTrace })
    : gate.handler;
  const tls = await readTls(proxy.tls);
  let expiresAt = tls?.expiresAt ?? null;
  const listen = parseListenAddress(proxy.listen) ?? { host: '127.0.0.1', port: 8000 };
  const listener = await openListener({
    listen,
    limits,
    handler: before ? both(before, handler) : handler,
    // Event streams may be silent for any time. All other waits have their own timeout.
    quietTimeoutMs: 0,
    accept: options.accept,
    ticketKeys: options.ticketKeys,
    ...(tls && { tls: tls.files }),
    ...(proxy.proxy_protocol && { speaksProxyProtocol: isTrusted }),
    upgrades: gate.upgrades,
    isProxy: isTrusted,
    onFull: logFull(log, 'gate'),
  });

  const ownUrl = addressUrl({ ...listen, port: listener.address.port }, tls !== null);
  settings.current = withUrl(settings.current);
  if (proxy.public_url === null) {
    log.info({ url: ownUrl }, 'proxy.public_url is not set: links start with the address of proxy.listen');
  }

  function withUrl(opened: GateSettings): GateSettings {
    return { ...opened, publicUrl: opened.publicUrl ?? ownUrl };
  }

  function isTrusted(address: string): boolean {
    const ip = parseIpAddress(address);
    return ip !== null && settings.current.trust.trustedProxies.some((cidr) => cidrContains(cidr, ip));
  }

  return {
    address: listener.address,
    ownUrl,
    certificateExpiresAt: () => expiresAt,
    senderOf: gate.senderOf,
    seesUntrustedForwarding: gate.seesUntrustedForwarding,
    unjudgedSignups: gate.unjudgedSignups,
    missingEmails: gate.missingEmails,
    replayReviewed: gate.replayReviewed,
    async prepare(changed, judge, site) {
      const changedProxy = changed.proxy ?? proxy;
      const [next, certificate] = await Promise.all([
        openGateSettings({ config: changed, proxy: changedProxy, judge, site, assertionSecret }),
        readTls(changedProxy.tls),
      ]);
      return () => {
        if (certificate) {
          listener.setTls(certificate.files);
          expiresAt = certificate.expiresAt;
        }
        settings.current = withUrl(next);
      };
    },
    async close(withinMs = limits.drain_timeout) {
      const endAt = performance.now() + withinMs;
      await listener.close(withinMs);
      await transport.close(Math.max(0, endAt - performance.now()));
    },
  };
}

function both(before: NonNullable<OpenGateOptions['before']>, gate: RequestListener): RequestListener {
  return (request, response) => {
    if (before.answers(request.url ?? '/')) before.handler(request, response);
    else gate(request, response);
  };
}

interface Certificate {
  readonly files: TlsFiles;
  readonly expiresAt: number;
}

async function readTls(files: ProxyConfig['tls']): Promise<Certificate | null> {
  if (files === null) return null;
  // The files are read one after the other. So when both are missing, the error always names the same file.
  const cert = await readPem('cert', files.cert);
  const key = await readPem('key', files.key);
  try {
    // As bytes: Node takes an empty text for a missing file, and then every handshake fails.
    createSecureContext({ cert: Buffer.from(cert), key: Buffer.from(key) });
    return { files: { cert, key }, expiresAt: Date.parse(new X509Certificate(cert).validTo) };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`proxy.tls: ${files.cert} and ${files.key} cannot be used: ${message}.`, { cause });
  }
}

async function readPem(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`proxy.tls.${name}: ${path} cannot be read (${code}).`, { cause: error });
  }
}
