import type { IncomingMessage } from 'node:http';

/**
 * Whether a POST may come from one of our own pages. `Sec-Fetch-Site` decides where it is sent (every browser since
 * 2023): no page can forge it. An `Origin` that names another site is refused as well. `null` says nothing: our own
 * pages send it, since they send no referrer (Fetch, "append a request `Origin` header"), and the URL that has to be
 * known for the POST is a secret in itself. Programs send neither.
 */
export function isSameSite({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined || origin === 'null' || origin === publicUrl) return true;
  // The gate reached by another of its names: the browser made both headers, and no other site can make them agree.
  return URL.canParse(origin) && new URL(origin).host === headers.host?.toLowerCase();
}
