import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import httpProxy from 'http-proxy';
import { ProblemError } from '../../http/problem.ts';
import { endWithProblem } from '../../http/raw-answer.ts';
import type { GateMetrics } from '../../telemetry/metrics.ts';
import { answerHeaders, cleanReason } from './header-fields.ts';
import { upstreamProblem } from './upstream-problem.ts';
import { type CurrentTrust, peerOf, requestHeaders, upstreamTarget } from './upstream-request.ts';

export interface WebSocketOptions {
  /** Scheme, host and port. */
  readonly upstream: string;
  readonly timeouts: { readonly connect: number; readonly response: number };
  readonly settings: CurrentTrust;
  readonly metrics: Pick<GateMetrics, 'upstreamFailed'>;
}

export interface WebSockets {
  /** Never throws. When one side ends, it closes the other. */
  join(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The time for which one side may continue after the other has ended, so that bytes in transit still arrive. */
const LINGER_MS = 5_000;

/**
 * WebSockets through http-proxy. This code builds the header itself and works around these defects of http-proxy: it
 * has no listener for a client that resets during the handshake (the process would end), forwards every header both
 * ways, folds slashes in the target, forwards an answer's `Transfer-Encoding` without the chunks, has no time limit,
 * and leaves the upstream open when the client disappears.
 */
export function createWebSockets({ upstream, timeouts, settings, metrics }: WebSocketOptions): WebSockets {
  const { hostname } = new URL(upstream);
  // TLS does not allow an IP address as server name; http would use the client's Host.
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  const proxy = httpProxy.createProxyServer({ target: upstream, secure: true });
  proxy.on('proxyReqWs', (outgoing, request, socket) => prepare(outgoing, request, socket));

  /** Clients that received the upstream's answer: any later failure is the end of the tunnel. */
  const answered = new WeakSet<Duplex>();

  function prepare(outgoing: ClientRequest, request: IncomingMessage, socket: Duplex): void {
    const { trust } = settings.current;
    const target = upstreamTarget(request.url ?? '/');
    const headers = requestHeaders(
      {
        method: 'GET',
        target: request.url ?? '/',
        rawHeaders: request.rawHeaders,
        peer: peerOf(request, trust),
      },
      {
        settings: trust,
        authority: target?.authority ?? null,
        extra: ['Connection', 'Upgrade', 'Upgrade', 'websocket'],
        withoutLength: true,
      },
    );
    outgoing.path = target?.path ?? '/';
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    for (let i = 0; i + 1 < headers.length; i += 2)
      outgoing.appendHeader(headers[i] ?? '', headers[i + 1] ?? '');
    watch(outgoing, socket);
  }

  function watch(outgoing: ClientRequest, socket: Duplex): void {
    const giveUp = (problem: ProblemError) => {
      tellProblem(socket, problem);
      outgoing.destroy();
    };
    const onClientClose = () => outgoing.destroy();
    // A socket without a reader does not report that the client has disconnected. So this listener reads.
    const onReadable = () => {
      if (socket.readableLength === 0) socket.read(0);
    };
    const onClientEnd = () => socket.destroy();
    let timer = setTimeout(giveUp, timeouts.connect, upstreamProblem(new Error('Connecting took too long.')));
    socket.on('readable', onReadable).once('end', onClientEnd).once('close', onClientClose);
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('finish', () => {
      clearTimeout(timer);
      const tooLate = new ProblemError('gateway_timeout', 'The application took too long to answer.');
      timer = setTimeout(giveUp, timeouts.response, tooLate);
    });
    // Replaces http-proxy's own listener, which it adds after this function returns.
    process.nextTick(() => {
      outgoing.removeAllListeners('response').once('response', (answer: IncomingMessage) => {
        take(answer, (fields) => relayRefusal(answer, fields, socket));
      });
    });
    // Runs before http-proxy's own listener, which then writes the header that it finds.
    outgoing.once('upgrade', (answer: IncomingMessage, upstreamSocket: Duplex) => {
      endTogether(socket, upstreamSocket);
      take(answer, (fields) => {
        answer.headers = { ...fields, Connection: 'Upgrade', Upgrade: 'websocket' };
      });
    });
    function take(answer: IncomingMessage, pass: (fields: Fields) => void): void {
      clearTimeout(timer);
      socket.off('readable', onReadable).off('end', onClientEnd).off('close', onClientClose);
      answered.add(socket);
      const fields = fieldsOf(answer);
      if (fields) pass(fields);
      else giveUp(upstreamProblem(new Error('The answer is in a transfer coding that is not known.')));
    }
  }

  function tellProblem(socket: Duplex, problem: ProblemError): void {
    metrics.upstreamFailed(problem.code);
    endWithProblem(socket, problem);
  }

  return {
    join(request, socket, head) {
      socket.on('error', () => socket.destroy());
      if (socket.destroyed) return;
      if (!upstreamTarget(request.url ?? '/')) {
        endWithProblem(socket, new ProblemError('bad_request', 'The target of the request is not a path.'));
        return;
      }
      // The headers that http-proxy checks. The request that is sent is built from the raw header.
      request.headers = { connection: 'Upgrade', upgrade: 'websocket' };
      proxy.ws(request, socket, head, { ssl: { servername }, toProxy: true }, (error) => {
        if (!answered.has(socket)) tellProblem(socket, upstreamProblem(error));
      });
    },
  };
}

/** The upstream accepts no WebSocket: its answer is forwarded, and the connection ends with it. */
function relayRefusal(answer: IncomingMessage, fields: Fields, socket: Duplex): void {
  const status = answer.statusCode ?? 502;
  let head = `HTTP/1.1 ${status} ${cleanReason(answer.statusMessage ?? '')}\r\n`;
  for (const [name, values] of Object.entries(fields)) {
    for (const value of values) head += `${name}: ${value}\r\n`;
  }
  socket.write(`${head}Connection: close\r\n\r\n`, 'latin1');
  answer.on('error', () => socket.destroy());
  socket.once('close', () => answer.destroy());
  socket.once('finish', () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  answer.pipe(socket);
}

type Fields = Readonly<Record<string, string[]>>;

/** The fields of the answer for the client, by name; null when the body cannot be forwarded. */
function fieldsOf(answer: IncomingMessage): Fields | null {
  const answered = answerHeaders(answer.rawHeaders, answer.statusCode ?? 502);
  if (!answered) return null;
  const fields: Record<string, string[]> = Object.create(null);
  for (let i = 0; i + 1 < answered.headers.length; i += 2) {
    const name = answered.headers[i] ?? '';
    fields[name] = [...(fields[name] ?? []), answered.headers[i + 1] ?? ''];
  }
  return fields;
}

/** When one side ends, the other has only the time for bytes in transit. */
function endTogether(client: Duplex, upstream: Duplex): void {
  const linger = () => {
    const timer = setTimeout(() => {
      client.destroy();
      upstream.destroy();
    }, LINGER_MS);
    client.once('close', () => clearTimeout(timer));
  };
  upstream.on('error', () => upstream.destroy());
  client.once('close', () => upstream.destroy()).once('end', linger);
  upstream.once('close', () => client.destroy()).once('end', linger);
}
