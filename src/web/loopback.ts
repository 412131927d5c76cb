import type { IncomingMessage } from 'node:http';

/** Loopback addresses as Node writes the peer of a connection. */
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127\.|::1$)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Header fields that browsers and command-line clients send. Most proxies add other fields: `X-Forwarded-For`,
 * `Forwarded`, `Via`, `X-Real-IP`, `CF-Ray` and many more.
 */
const OF_CLIENTS =
  /^(?:host|connection|keep-alive|user-agent|accept|accept-[a-z-]+|sec-[a-z0-9-]+|upgrade|upgrade-insecure-requests|http2-settings|cookie|cache-control|pragma|referer|origin|dnt|priority|purpose|te|if-[a-z-]+|range|content-length|content-type|authorization|save-data|device-memory|downlink|ect|rtt|dpr|viewport-width|width)$/i;

/**
 * Whether a request was made on this machine, for this machine, and without a proxy, since a proxy forwards requests of
 * any client. A proxy that adds no header field is recognised by HTTP/1.0, the default of nginx.
 */
export function cameDirectly(request: IncomingMessage): boolean {
  return (
    isFromLoopback(request) &&
    request.httpVersion === '1.1' &&
    request.rawHeaders.every((name, i) => i % 2 === 1 || OF_CLIENTS.test(name))
  );
}

/**
 * Whether a request came from a loopback address to a loopback name. Other names may be DNS rebinding: a page of
 * another site points its own name at this machine. The peer may still be a proxy.
 */
export function isFromLoopback({ socket, headers }: IncomingMessage): boolean {
  return LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && isLoopbackName(headers.host);
}

/**
 * Whether a `Host` header is a loopback name or the host of the public URL. This prevents DNS rebinding: a page of
 * another site can point its own name at this machine and read the answers, but the `Host` header then has this name.
 */
export function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  return isLoopbackName(host) || (host !== undefined && host.toLowerCase() === new URL(publicUrl).host);
}

function isLoopbackName(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host);
}
