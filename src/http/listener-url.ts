import type { Listener } from './listener.ts';

/** `http://host:port` of a listener, IPv6 addresses in brackets. */
export function listenerUrl({ host, port }: Listener['address'], isSecure = false): string {
  return `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
