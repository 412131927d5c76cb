import type { IncomingMessage, RequestListener } from 'node:http';
import type { TraceContext, Tracer } from './tracer.ts';

/** Probes ask each second, and their traces would say nothing. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);
const MAX_TRACEPARENT = 512;
/** W3C Trace Context section 3.3.1.5. */
const MAX_TRACESTATE = 512;
/** Other methods are `_OTHER`, as OpenTelemetry asks: a sender may write any token. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

export interface TraceRequestsOptions {
  readonly tracer: Tracer;
  readonly door: 'api' | 'gate';
  /** Whether the trace that a sender names goes on. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
}

/** Each request of a door is the span of a server, until its answer is complete or its connection ends. */
export function traceRequests(
  handler: RequestListener,
  { tracer, door, isTrusted }: TraceRequestsOptions,
): RequestListener {
  return (request, response) => {
    if (door === 'api' && PROBES.has(request.url ?? '')) {
      handler(request, response);
      return;
    }
    const method = methodOf(request.method);
    const attributes = {
      'http.request.method': method,
      'network.protocol.version': request.httpVersion,
      'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
      'gatekeeper.door': door,
    };
    const parent = isTrusted(request) ? contextOf(request) : null;
    tracer.request({ name: method === '_OTHER' ? 'HTTP' : method, attributes, parent }, (span, end) => {
      response.once('close', () => {
        if (response.headersSent) {
          const { statusCode } = response;
          span.set({ 'http.response.status_code': statusCode });
          if (statusCode >= 500) span.fail(String(statusCode));
        }
        if (!response.writableFinished) span.fail('connection_closed');
        end();
      });
      handler(request, response);
    });
  };
}

export function methodOf(method = 'GET'): string {
  return METHODS.has(method) ? method : '_OTHER';
}

function contextOf({ headers }: IncomingMessage): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT) return null;
  const state = Array.isArray(tracestate) ? tracestate.join(',') : (tracestate ?? '');
  return { traceparent, tracestate: state === '' || state.length > MAX_TRACESTATE ? null : state };
}
