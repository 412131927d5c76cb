import type { IncomingMessage } from 'node:http';

/**
 * Whether a POST may come from a page of the same site. `Sec-Fetch-Site` decides if it is sent (by every browser since
 * 2023), since no page can forge it. An `Origin` of another site is refused too. The value `null` is accepted:
 * Gatekeeper's own pages send it because they send no referrer (Fetch, "append a request `Origin` header"), and the URL
 * of the POST is secret. Programs send neither header.
 */
export function isSameSite({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined || origin === 'null' || origin === publicUrl) return true;
  // The gate may have several names. The browser sets `Host` and `Origin`, and no other site can make them equal.
  return URL.canParse(origin) && new URL(origin).host === headers.host?.toLowerCase();
}
