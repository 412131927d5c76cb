import { list, nullable, number, record, secretText, section, text } from './schema-types.ts';

export const telemetrySchema = section('What Gatekeeper sends to programs that watch it.', {
  traces: section('Traces of requests, by OpenTelemetry. Each door begins one for each request.', {
    otlp: nullable(
      text(
        'URL of the receiver, which speaks OTLP over HTTP. Without a path, `/v1/traces` is added.',
        'web-url',
        { secret: 'password' },
      ),
      'no traces',
    ),
    headers: record(
      'Headers for the receiver, such as `authorization`.',
      secretText('The value of one header.'),
      'header-name',
    ),
    sample: number('Share of the requests that are traced, from 0 to 1.', { minimum: 0, maximum: 1 }),
    service_name: text('Name of this service in the traces.', 'name'),
    trusted_sources: list(
      'Networks of callers and proxies whose `traceparent` header is continued; at the gate, those of `proxy.trusted_proxies` are too. For other senders a new trace begins.',
      text('One address or network.', 'cidr'),
      1_000,
    ),
  }),
});
