import type { ExecutionContext } from 'ava';
import { openRawApp } from '../gate/transport/open-gate.ts';

/** An upstream that reads HTTP/1.1 by the letter and writes down every request, and everything that is none. */
export interface Oracle {
  readonly port: number;
  /** Targets of the requests since the last call. */
  takeTargets(): string[];
  /** What no strict reader would accept, since the last call. */
  takeViolations(): string[];
}

interface ReadRequest {
  readonly target: string;
  readonly lengthBytes: number;
}

const FIELD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t ]*[\t\x20-\x7e\x80-\xff]*$/;

export async function openOracle(t: ExecutionContext): Promise<Oracle> {
  const targets: string[] = [];
  const violations: string[] = [];
  const port = await openRawApp(t, (socket) => {
    let bytes = '';
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1');
      for (;;) {
        const request = readRequest(bytes);
        if (request === 'incomplete') return;
        if (typeof request === 'string') {
          violations.push(request);
          socket.destroy();
          return;
        }
        targets.push(request.target);
        bytes = bytes.slice(request.lengthBytes);
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nAllow: GET\r\n\r\nok');
      }
    });
  });
  return {
    port,
    takeTargets: () => targets.splice(0),
    takeViolations: () => violations.splice(0),
  };
}

/** RFC 9112 with nothing forgiven. Any other text than `incomplete` says what is wrong. */
function readRequest(bytes: string): ReadRequest | string {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return 'incomplete';
  const [requestLine = '', ...fields] = bytes.slice(0, headEnd).split('\r\n');
  const [, target] = /^[A-Z]+ (\/[\x21-\x7e]*) HTTP\/1\.1$/.exec(requestLine) ?? [];
  if (target === undefined) return `request line ${JSON.stringify(requestLine)}`;
  const found = new Map<string, string[]>();
  for (const field of fields) {
    if (!FIELD.test(field)) return `field ${JSON.stringify(field)}`;
    const name = field.slice(0, field.indexOf(':')).toLowerCase();
    // As CGI reads names: another spelling of a framing field is one too many.
    const plain = name.replace(/[^a-z0-9]/g, '-');
    found.set(plain, [...(found.get(plain) ?? []), field.slice(field.indexOf(':') + 1).trim()]);
  }
  const of = (name: string) => found.get(name) ?? [];
  if (of('host').length !== 1) return `${of('host').length} hosts`;
  for (const name of ['te', 'trailer', 'expect', 'upgrade', 'keep-alive', 'http2-settings']) {
    if (of(name).length > 0) return `${name} was forwarded`;
  }
  const lengths = of('content-length');
  const codings = of('transfer-encoding');
  if (lengths.length + codings.length > 1) return 'framed twice';
  const bodyStart = headEnd + 4;
  if (codings.length === 1) {
    if (codings[0] !== 'chunked') return `coding ${codings[0]}`;
    const end = endOfChunks(bytes, bodyStart);
    return typeof end === 'string' ? end : { target, lengthBytes: end };
  }
  const length = lengths[0] ?? '0';
  if (!/^(?:0|[1-9]\d*)$/.test(length)) return `length ${length}`;
  const end = bodyStart + Number(length);
  return bytes.length < end ? 'incomplete' : { target, lengthBytes: end };
}

function endOfChunks(bytes: string, start: number): number | string {
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return 'incomplete';
    const size = bytes.slice(at, lineEnd);
    if (!/^[0-9a-f]+$/i.test(size)) return `chunk size ${JSON.stringify(size)}`;
    const dataEnd = lineEnd + 2 + Number.parseInt(size, 16);
    if (bytes.length < dataEnd + 2) return 'incomplete';
    if (bytes.slice(dataEnd, dataEnd + 2) !== '\r\n') return 'a chunk has no end';
    at = dataEnd + 2;
    if (Number.parseInt(size, 16) === 0) return at;
  }
}
