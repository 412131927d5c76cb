import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { until } from './shared-counters.ts';

type Value = string | number | boolean | undefined;

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at the first of a trace. */
  readonly parentSpanId: string;
  /** 1: of this process; 2: a request to it; 3: one to another program. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly isError: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of the last request. */
  headers(): IncomingHttpHeaders;
  resource(): Readonly<Record<string, Value>>;
  requests(): number;
  /** All text that arrived. */
  text(): string;
  behave(how: 'take' | 'fail' | 'hang'): void;
  received(name: string): Promise<ReceivedSpan>;
}

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly kind: number;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code: number };
      }[];
    }[];
  }[];
}

const ERROR = 2;
const PATIENCE_MS = 60_000;

/** A receiver of OTLP over HTTP in JSON, on loopback, closed with the test. */
export async function openOtlpReceiver(t: ExecutionContext): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  let headers: IncomingHttpHeaders = {};
  let resource: Readonly<Record<string, Value>> = {};
  let requests = 0;
  let how: 'take' | 'fail' | 'hang' = 'take';
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      requests++;
      headers = { ...request.headers, ':path': request.url };
      if (how === 'hang') return;
      if (how === 'fail') {
        response.writeHead(500).end('jane@acme.example cannot be stored');
        return;
      }
      text += body;
      for (const { resource: made, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
        resource = valuesOf(made.attributes);
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            ...span,
            parentSpanId: span.parentSpanId ?? '',
            attributes: valuesOf(span.attributes),
            isError: span.status.code === ERROR,
          });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    resource: () => resource,
    requests: () => requests,
    text: () => text,
    behave(next) {
      how = next;
    },
    async received(name) {
      const find = () => spans.find((span) => span.name === name);
      await until(() => find() !== undefined, PATIENCE_MS);
      const span = find();
      if (!span) throw new Error(`no span "${name}" arrived, but ${spans.map((each) => each.name)}`);
      return span;
    },
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, Value> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue,
    ]),
  );
}
