import type { Socket } from 'node:net';
import { parseIpAddress } from '../addresses/ip-address.ts';

/** The result of reading the first bytes of a connection. */
export type ProxyHeader =
  /** The bytes are not enough to decide. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid'; readonly why: string }
  /**
   * `source` is null for the proxy's own connections (`LOCAL`) and when the proxy does not name a source (`UNKNOWN`,
   * Unix sockets).
   */
  | {
      readonly kind: 'header';
      readonly lengthBytes: number;
      readonly source: string | null;
      /** The proxy says that the client has connected to it by TLS. */
      readonly isEncrypted: boolean;
    };

/** The longest line of version 1, with its line end (proxy-protocol.txt section 2.1). */
const MAX_V1_BYTES = 107;
const V2_SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const V2_FIXED_BYTES = 16;
/** The type of the value about TLS, the bytes before each value, and the bit for a connection by TLS (section 2.2.6). */
const V2_TLS_TYPE = 0x20;
const V2_VALUE_HEAD_BYTES = 3;
const V2_TLS_BIT = 1;
/**
 * The limit for addresses and type-length-values. Real senders need much less, and no sender may make the server wait
 * for 64 KB.
 */
const MAX_V2_PAYLOAD_BYTES = 4_096;

const INCOMPLETE: ProxyHeader = { kind: 'incomplete' };

/**
 * Reads the header that a proxy sends before a connection (haproxy.org, proxy-protocol.txt, versions 1 and 2). The
 * header is required: if it were optional, any client that reaches the port of a trusted proxy could send a false
 * header.
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (bytes.length === 0) return INCOMPLETE;
  const compared = Math.min(bytes.length, V2_SIGNATURE.length);
  if (bytes.compare(V2_SIGNATURE, 0, compared, 0, compared) === 0) {
    return compared < V2_SIGNATURE.length ? INCOMPLETE : parseVersion2(bytes);
  }
  const start = bytes.toString('latin1', 0, 6);
  if (!'PROXY '.startsWith(start)) return invalid('The connection does not begin with a PROXY header.');
  return start.length < 6 ? INCOMPLETE : parseVersion1(bytes);
}

function parseVersion1(bytes: Buffer): ProxyHeader {
  const line = bytes.toString('latin1', 0, MAX_V1_BYTES);
  const end = line.indexOf('\r\n');
  if (end === -1) {
    return bytes.length < MAX_V1_BYTES ? INCOMPLETE : invalid('The line of the PROXY header has no end.');
  }
  const lengthBytes = end + 2;
  const [, protocol, ...rest] = line.slice(0, end).split(' ');
  if (protocol === 'UNKNOWN') return { kind: 'header', lengthBytes, source: null, isEncrypted: false };
  const [source = '', destination = '', sourcePort = '', destinationPort = '', ...more] = rest;
  const family = protocol === 'TCP4' ? 4 : protocol === 'TCP6' ? 6 : null;
  if (family === null || more.length > 0) return invalid('The protocol in the PROXY header is unknown.');
  const isAddress = (text: string) => text.includes(':') === (family === 6) && parseIpAddress(text) !== null;
  const isPort = (text: string) => /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
  if (!isAddress(source) || !isAddress(destination) || !isPort(sourcePort) || !isPort(destinationPort)) {
    return invalid('The PROXY header does not name two addresses and two ports.');
  }
  return { kind: 'header', lengthBytes, source, isEncrypted: false };
}

function parseVersion2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_FIXED_BYTES) return INCOMPLETE;
  const version = bytes.readUInt8(12) >> 4;
  const command = bytes.readUInt8(12) & 0x0f;
  const family = bytes.readUInt8(13) >> 4;
  const transport = bytes.readUInt8(13) & 0x0f;
  const payloadBytes = bytes.readUInt16BE(14);
  if (version !== 2 || command > 1) return invalid('The version of the PROXY header is unknown.');
  if (payloadBytes > MAX_V2_PAYLOAD_BYTES) return invalid('The PROXY header is too long.');
  const lengthBytes = V2_FIXED_BYTES + payloadBytes;
  if (bytes.length < lengthBytes) return INCOMPLETE;
  if (command === 0 || family === 0 || family === 3)
    return { kind: 'header', lengthBytes, source: null, isEncrypted: false };
  const addressBytes = family === 1 ? 4 : family === 2 ? 16 : 0;
  if (addressBytes === 0 || transport !== 1 || payloadBytes < addressBytes * 2 + 4) {
    return invalid('The PROXY header does not name two addresses and two ports.');
  }
  const address = bytes.subarray(V2_FIXED_BYTES, V2_FIXED_BYTES + addressBytes);
  const source = family === 1 ? [...address].join('.') : groups(address);
  const values = bytes.subarray(V2_FIXED_BYTES + addressBytes * 2 + 4, lengthBytes);
  return { kind: 'header', lengthBytes, source, isEncrypted: namesTls(values) };
}

/** Whether the type-length-values behind the addresses name a client that connected by TLS. */
function namesTls(values: Buffer): boolean {
  let at = 0;
  while (at + V2_VALUE_HEAD_BYTES < values.length) {
    const length = values.readUInt16BE(at + 1);
    const isTls = values[at] === V2_TLS_TYPE && length > 0;
    if (isTls) return (values.readUInt8(at + V2_VALUE_HEAD_BYTES) & V2_TLS_BIT) !== 0;
    at += V2_VALUE_HEAD_BYTES + length;
  }
  return false;
}

function groups(address: Buffer): string {
  return Array.from({ length: 8 }, (_, i) => address.readUInt16BE(i * 2).toString(16)).join(':');
}

function invalid(why: string): ProxyHeader {
  return { kind: 'invalid', why };
}

const sources = new WeakMap<Socket, string>();
const encryptedBefore = new WeakSet<Socket>();

/** Whether the client's connection is encrypted: here, or at the proxy that says so in its PROXY header. */
export function isEncrypted(socket: Socket): boolean {
  return 'encrypted' in socket || encryptedBefore.has(socket);
}

/** The IP address of the client: the address in the PROXY header of a trusted proxy, or the address of the socket. */
export function peerAddress(socket: Socket): string {
  return sources.get(socket) ?? socket.remoteAddress ?? '';
}

/** Stores the client's address for a connection: for the raw socket, and for the TLS socket on it. */
export function setPeerAddress(socket: Socket, source: string): void {
  sources.set(socket, source);
}

/**
 * Removes the PROXY header from a new connection. The bytes after it remain to be read.
 * @param done Called once with the problem or null. Not called when the connection ends first.
 */
export function readProxyHeader(
  socket: Socket,
  timeoutMs: number,
  done: (problem: string | null) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const finish = (problem: string | null) => {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('close', forget).off('error', forget);
    done(problem);
  };
  const forget = () => {
    clearTimeout(timer);
    socket.destroy();
  };
  const onReadable = () => {
    for (;;) {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) return;
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const header = parseProxyHeader(bytes);
      if (header.kind === 'incomplete') continue;
      if (header.kind === 'invalid') {
        finish(header.why);
        return;
      }
      if (header.source !== null) setPeerAddress(socket, header.source);
      if (header.isEncrypted) encryptedBefore.add(socket);
      const rest = bytes.subarray(header.lengthBytes);
      if (rest.length > 0) socket.unshift(rest);
      finish(null);
      return;
    }
  };
  const timer = setTimeout(finish, timeoutMs, 'The PROXY header did not arrive in time.');
  socket.on('readable', onReadable).on('close', forget).on('error', forget).on('end', forget);
}
