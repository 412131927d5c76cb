import { isLoopbackHost } from '../web/loopback.ts';

/**
 * Whether a request's `Host` is a name of this dashboard. A stranger's page can point a name of its own at this machine
 * and then read what answers there; the name gives it away. Reached over loopback or over its public URL, both hold.
 */
export function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  return isLoopbackHost(host) || (host !== undefined && host.toLowerCase() === new URL(publicUrl).host);
}
