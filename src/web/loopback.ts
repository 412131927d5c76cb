import type { IncomingMessage } from 'node:http';

const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127\.|::1$)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const LOOPBACK_NAME = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Header fields that browsers and command-line clients send of themselves. Every proxy that says so much as that it is
 * one adds another: `X-Forwarded-For`, `Forwarded`, `Via`, `X-Real-IP`, `CF-Ray`, and more with every new product.
 */
const OF_CLIENTS =
  /^(?:host|connection|keep-alive|user-agent|accept|accept-[a-z-]+|sec-[a-z0-9-]+|upgrade|upgrade-insecure-requests|http2-settings|cookie|cache-control|pragma|referer|origin|dnt|priority|purpose|te|if-[a-z-]+|range|content-length|content-type|authorization|save-data|device-memory|downlink|ect|rtt|dpr|viewport-width|width)$/i;

/**
 * Whether a request was made on this machine, for this machine: from a loopback address, by a loopback name (another
 * name may be a stranger's, pointed here), and past no proxy, behind which anybody may sit. A proxy that names itself
 * nowhere is known by HTTP/1.0, which nginx speaks unless told otherwise.
 */
export function cameDirectly({ socket, headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host) &&
    httpVersion === '1.1' &&
    rawHeaders.every((name, i) => i % 2 === 1 || OF_CLIENTS.test(name))
  );
}

/** Whether a `Host` names this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host);
}

/** Whether a URL leads to this machine alone. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_NAME.test(new URL(url).hostname);
}
