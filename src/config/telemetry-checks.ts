import { parseIpAddress, specialRange } from '../addresses/ip-address.ts';
import type { CheckContext } from './checks.ts';
import { toPointer } from './pointer.ts';

const TRACES = '/telemetry/traces';
/** The registered port of OTLP over gRPC. */
const GRPC_PORT = '4317';
/** RFC 9110 section 5.5, without bytes above ASCII. */
const HEADER_VALUE = /^[\t\x20-\x7e]+$/;

/** Checks the receiver of traces. */
export function checkTelemetry({ document, isValid, isShaped, issue, warn }: CheckContext): void {
  if (!isShaped(TRACES)) return;
  const { otlp, headers, sample } = document.telemetry.traces;
  const names = isShaped(`${TRACES}/headers`) ? Object.keys(headers) : [];
  for (const name of names) {
    const place = `${TRACES}/headers${toPointer([name])}`;
    if (isValid(place) && !HEADER_VALUE.test(headers[name] ?? ''))
      issue(
        place,
        'expected printable ASCII characters on one line',
        'a secret file may end with a line end',
      );
  }
  if (!isValid(`${TRACES}/otlp`)) return;
  if (otlp === null) {
    if (names.length > 0) warn(`${TRACES}/headers`, 'without otlp, no traces are sent');
    return;
  }
  const { port, protocol, hostname } = new URL(otlp);
  if (port === GRPC_PORT) {
    const meant = otlp.replace(`:${GRPC_PORT}`, ':4318').replace(/\/\/[^@/]*@/, '//');
    issue(`${TRACES}/otlp`, `port ${GRPC_PORT} is for OTLP over gRPC`, `OTLP over HTTP is usually ${meant}`);
  }
  if (protocol === 'http:' && names.length > 0 && !isNear(hostname))
    warn(`${TRACES}/otlp`, 'headers with secrets travel readable: expected https');
  if (isValid(`${TRACES}/sample`) && sample === 0)
    warn(`${TRACES}/sample`, 'only requests of trusted sources that ask for it are traced');
}

/** A name without a dot is one of the same network, as in Docker and Kubernetes. */
function isNear(hostname: string): boolean {
  const ip = parseIpAddress(hostname.replace(/^\[|\]$/g, ''));
  return ip === null ? !hostname.includes('.') : specialRange(ip) !== null;
}
