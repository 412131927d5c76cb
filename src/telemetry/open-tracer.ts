import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import {
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { cidrContains, parseCidr, parseIpAddress } from '../addresses/ip-address.ts';
import type { TracesConfig } from '../config/config.ts';
import { VERSION } from '../version.ts';
import type { Logger } from './logger.ts';
import { createSpanQueue } from './span-queue.ts';
import type { OpenSpan, SpanDescription, TraceContext, TracedRequest, Tracer } from './tracer.ts';

export interface OpenTracerOptions {
  /** With an address of the receiver. */
  readonly traces: TracesConfig & { readonly otlp: string };
  readonly onSpans: (result: 'sent' | 'failed' | 'dropped', spans: number) => void;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** The work that runs now. */
interface Running {
  readonly context: Context;
  readonly request: OpenSpan;
}

/** For one try; the queue limits all tries together. */
const TRY_TIMEOUT_MS = 5_000;
const OTLP_PATH = '/v1/traces';
/** A span of a trace that is not sampled, and work outside of a request. */
const UNSEEN: OpenSpan = { rename() {}, set() {}, fail() {} };

const FIELDS: TextMapGetter<TraceContext> = {
  keys: () => ['traceparent', 'tracestate'],
  get: ({ traceparent, tracestate }, key) =>
    key === 'traceparent' ? traceparent : (tracestate ?? undefined),
};

/**
 * A tracer that sends spans by OTLP over HTTP. It registers nothing globally: in the library, the app may have an
 * OpenTelemetry of its own.
 */
export function openTracer({ traces, onSpans, log }: OpenTracerOptions): Tracer {
  const receiver = new URL(traces.otlp).origin;
  const queue = createSpanQueue({
    exporter: new OTLPTraceExporter({
      url: spansUrl(traces.otlp),
      headers: { ...traces.headers },
      timeoutMillis: TRY_TIMEOUT_MS,
    }),
    onSpans,
    onFailing: (because) =>
      log.warn(
        { receiver, because },
        'the receiver of traces does not take them; they are dropped meanwhile',
      ),
    onSending: () => log.info({ receiver }, 'the receiver of traces takes them again'),
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': traces.service_name,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}/${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traces.sample) }),
    spanProcessors: [queue],
  });
  const spans = provider.getTracer('signup-gatekeeper', VERSION);
  const trusted = traces.trusted_sources.flatMap((text) => parseCidr(text) ?? []);
  const propagator = new W3CTraceContextPropagator();
  const running = new AsyncLocalStorage<Running>();

  function request(
    { name, attributes, parent }: TracedRequest,
    work: Parameters<Tracer['request']>[1],
  ): void {
    const before = parent ? propagator.extract(ROOT_CONTEXT, parent, FIELDS) : ROOT_CONTEXT;
    const span = spans.startSpan(name, { kind: SpanKind.SERVER, attributes }, before);
    const open = openSpan(span);
    running.run({ context: trace.setSpan(before, span), request: open }, work, open, () => span.end());
  }

  function inSpan<T>({ name, kind, attributes = {} }: SpanDescription, work: (span: OpenSpan) => T): T {
    const current = running.getStore();
    if (!current || !trace.getSpan(current.context)?.isRecording()) return work(UNSEEN);
    const kinds = kind === 'client' ? { kind: SpanKind.CLIENT, attributes } : { attributes };
    const span = spans.startSpan(name, kinds, current.context);
    const open = openSpan(span);
    const fail = (error: unknown) => {
      open.fail(typeOf(error));
      span.end();
    };
    const context = trace.setSpan(current.context, span);
    return running.run({ ...current, context }, () => {
      try {
        const result = work(open);
        if (result instanceof Promise) result.then(() => span.end(), fail);
        else span.end();
        return result;
      } catch (error) {
        fail(error);
        throw error;
      }
    });
  }

  return {
    trusts(address) {
      const ip = trusted.length === 0 ? null : parseIpAddress(address);
      return ip !== null && trusted.some((cidr) => cidrContains(cidr, ip));
    },
    request,
    span: inSpan,
    requestSpan: () => running.getStore()?.request ?? null,
    contextFields() {
      const fields: Record<string, string> = {};
      const current = running.getStore();
      if (current) propagator.inject(current.context, fields, defaultTextMapSetter);
      return Object.entries(fields).flat();
    },
    close: queue.close,
  };
}

function openSpan(span: Span): OpenSpan {
  if (!span.isRecording()) return UNSEEN;
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** Never the message: it may quote a person. */
function typeOf(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}

/** Where only a server is named, its usual path. */
function spansUrl(otlp: string): string {
  const url = new URL(otlp);
  if (url.pathname === '/') url.pathname = OTLP_PATH;
  return url.href;
}
