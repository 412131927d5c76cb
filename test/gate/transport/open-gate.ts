import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { cidrContains, parseIpAddress } from '../../../src/addresses/ip-address.ts';
import type { ServerConfig } from '../../../src/config/config.ts';
import type { Forwarded } from '../../../src/gate/transport/exchange-dependencies.ts';
import {
  createTransport,
  type ForwardOptions,
  type Transport,
} from '../../../src/gate/transport/transport.ts';
import type { TrustSettings } from '../../../src/gate/transport/upstream-request.ts';
import { type Listener, openListener } from '../../../src/http/listener.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { LIMITS } from '../../http/limits.ts';

export interface GateOptions {
  readonly limits?: Partial<ServerConfig>;
  readonly timeouts?: { readonly connect?: number; readonly response?: number };
  readonly maxConnections?: number;
  readonly trust?: TrustSettings;
  readonly forward?: ForwardOptions;
  readonly upgrades?: (target: string) => boolean;
  /** Called with every request that is forwarded. */
  readonly onRequest?: (request: IncomingMessage) => void;
}

export interface Gate {
  readonly port: number;
  readonly url: string;
  readonly listener: Listener;
  readonly transport: Transport;
  /** How each forwarded request ended, in the order of their ends. */
  readonly outcomes: readonly Forwarded[];
  /** Messages that were logged. */
  readonly logged: readonly string[];
}

/** A listener that forwards everything to one upstream. */
export async function openGate(
  t: ExecutionContext,
  upstream: string | number,
  options: GateOptions = {},
): Promise<Gate> {
  const trust = options.trust ?? { trustedProxies: [], clientIpHeader: 'x-forwarded-for' };
  const limits = { ...LIMITS, ...options.limits };
  const outcomes: Forwarded[] = [];
  const logged: string[] = [];
  const log = (_facts: object, message: string) => void logged.push(message);
  const transport = createTransport({
    upstream: typeof upstream === 'number' ? `http://127.0.0.1:${upstream}` : upstream,
    // A busy machine answers late. A suite that waits for one of them sets its own.
    timeouts: { connect: 20_000, response: 60_000, ...options.timeouts },
    maxConnections: options.maxConnections ?? 256,
    body: { timeoutMs: limits.body_timeout, minBytesPerSecond: limits.min_body_rate },
    settings: { current: { trust } },
    metrics: createMetrics().gate,
    log: { debug: log, info: log, warn: log, error: log, isLevelEnabled: () => true, infoMembers: () => {} },
  });
  const { upgrades } = options;
  const listener = await openListener({
    listen: { host: '127.0.0.1', port: 0 },
    limits,
    quietTimeoutMs: 0,
    isProxy: (address) => {
      const ip = parseIpAddress(address);
      return ip !== null && trust.trustedProxies.some((cidr) => cidrContains(cidr, ip));
    },
    handler: (request, response) => {
      options.onRequest?.(request);
      void transport.forward(request, response, options.forward).then((outcome) => outcomes.push(outcome));
    },
    ...(upgrades && {
      upgrades: { accepts: (request) => upgrades(request.url ?? ''), join: transport.upgrade },
    }),
  });
  t.teardown(async () => {
    await listener.close();
    await transport.close();
  });
  const { port } = listener.address;
  return { port, url: `http://127.0.0.1:${port}`, listener, transport, outcomes, logged };
}

/** An app of node:http. */
export async function openApp(
  t: ExecutionContext,
  handler: RequestListener,
): Promise<{ server: Server; port: number }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** An upstream that records and sends bytes. */
export async function openRawApp(
  t: ExecutionContext,
  onConnection: (socket: Socket) => void,
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Waits for a condition; the test's own timeout limits the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
