import { methodOf } from '../telemetry/trace-requests.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { InterceptedRequest } from './intercept.ts';
import type { Transport } from './transport/transport.ts';
import { type CurrentTrust, peerOf } from './transport/upstream-request.ts';

const CONTEXT_FIELD = /^(?:traceparent|tracestate)$/i;

/** Names the span of a request by its route, once that is known, and adds the request id. */
export function traceIntercepted(
  intercept: (intercepted: InterceptedRequest) => Promise<void>,
  tracer: Tracer,
): (intercepted: InterceptedRequest) => Promise<void> {
  return (intercepted) => {
    const { match, request, requestId } = intercepted;
    const route = match.kind === 'own' ? '/.gatekeeper' : (match.candidates[0]?.route.path ?? null);
    const span = tracer.requestSpan();
    span?.set({ 'gatekeeper.request_id': requestId, ...(route !== null && { 'http.route': route }) });
    if (route !== null) span?.rename(`${methodOf(request.method)} ${route}`);
    return intercept(intercepted);
  };
}

export interface TraceTransportOptions {
  readonly tracer: Tracer;
  /** `proxy.upstream`. */
  readonly upstream: string;
  readonly settings: CurrentTrust;
}

/** A request to the app is the span of a client, and carries its context: never that of a sender that is not trusted. */
export function traceTransport(
  transport: Transport,
  { tracer, upstream, settings }: TraceTransportOptions,
): Transport {
  const { hostname, port, protocol } = new URL(upstream);
  const server = {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  return {
    ...transport,
    forward(request, response, given = {}) {
      const message = given.message ?? {
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        rawHeaders: request.rawHeaders,
        peer: peerOf(request, settings.current.trust),
      };
      const method = methodOf(message.method);
      const attributes = { 'http.request.method': method, ...server };
      return tracer.span({ name: `${method} upstream`, kind: 'client', attributes }, async (span) => {
        const rawHeaders = [...withoutContext(message.rawHeaders), ...tracer.contextFields()];
        const forwarded = await transport.forward(request, response, {
          ...given,
          message: { ...message, rawHeaders },
        });
        const { status, problem } = forwarded;
        if (status !== null) span.set({ 'http.response.status_code': status });
        if (problem) span.fail(problem.code);
        else if (status !== null && status >= 400) span.fail(String(status));
        return forwarded;
      });
    },
  };
}

function withoutContext(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (!CONTEXT_FIELD.test(name)) kept.push(name, rawHeaders[i + 1] ?? '');
  }
  return kept;
}
