export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work in a trace. No attribute says anything about a person. */
export interface OpenSpan {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param type Of the error, such as its class: messages may quote a person. */
  fail(type: string): void;
}

export interface SpanDescription {
  readonly name: string;
  /** `client`: the work waits for another program. Left out: it is work of this process. */
  readonly kind?: 'client';
  readonly attributes?: SpanAttributes;
}

export interface TracedRequest {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** Of a sender that is trusted: the trace of the request goes on. Null: a new trace begins. */
  readonly parent: TraceContext | null;
}

/** The two fields of the W3C recommendation Trace Context, as they arrived. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | null;
}

/** Measures requests as traces. It exists only when the configuration names a receiver. */
export interface Tracer {
  /** Whether the configuration trusts a sender with this address to name the trace. */
  trusts(address: string): boolean;
  /** Runs the work of a request in its span, until `end`. */
  request(request: TracedRequest, work: (span: OpenSpan, end: () => void) => void): void;
  /** Runs work in a span under that of the current request. Outside a request, it only runs the work. */
  span<T>(description: SpanDescription, work: (span: OpenSpan) => T): T;
  /** The span of the current request, also within work of its own span; null outside a request. */
  requestSpan(): OpenSpan | null;
  /** The fields with which another program continues the trace, name and value in turn. */
  contextFields(): readonly string[];
  /** Sends what waits. Ends after two seconds, or sooner. */
  close(withinMs?: number): Promise<void>;
}

/** A copy of `target` of which each call of the named functions is a span. */
export function traceCalls<T extends object>(
  tracer: Tracer,
  target: T,
  calls: Partial<Record<keyof T, SpanDescription>>,
): T {
  // With getters as they are: a spread would read them once.
  const traced = Object.defineProperties({}, Object.getOwnPropertyDescriptors(target)) as T;
  for (const [name, description] of Object.entries(calls) as [keyof T, SpanDescription][]) {
    const call = target[name];
    if (typeof call !== 'function') continue;
    const value = (...args: unknown[]) => tracer.span(description, () => call.apply(target, args) as unknown);
    Object.defineProperty(traced, name, { value, enumerable: true });
  }
  return traced;
}
