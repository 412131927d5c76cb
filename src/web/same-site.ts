import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * Whether a POST may come from a page of the same site. `Sec-Fetch-Site` decides if it is sent (by every browser since
 * 2023), since no page can forge it. An `Origin` of another site is refused too. The value `null` is accepted:
 * Gatekeeper's own pages send it because they send no referrer (Fetch, "append a request `Origin` header"), and the URL
 * of the POST is secret. Programs send neither header.
 * @param origins The configured origins of front ends on other hosts.
 */
export function isSameSite(
  { headers }: IncomingMessage,
  publicUrl: string,
  origins: readonly string[] = [],
): boolean {
  if (isFrontEnd(headers, origins)) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined || origin === 'null' || origin === publicUrl) return true;
  // The gate may have several names. The browser sets `Host` and `Origin`, and no other site can make them equal.
  return URL.canParse(origin) && new URL(origin).host === headers.host?.toLowerCase();
}

/**
 * The header fields with which scripts of these origins can read an own answer: name, value, name, value, …
 * `Credentials`, because a front end sends the cookies of the app with its signup.
 */
export function readableAcross(headers: IncomingHttpHeaders, origins: readonly string[]): readonly string[] {
  if (origins.length === 0) return [];
  if (!isFrontEnd(headers, origins)) return ['Vary', 'Origin'];
  return [
    ...['Vary', 'Origin', 'Access-Control-Allow-Origin', headers.origin ?? ''],
    ...['Access-Control-Allow-Credentials', 'true'],
    ...['Access-Control-Expose-Headers', 'Gatekeeper-Reference, Retry-After, X-Request-Id'],
  ];
}

function isFrontEnd({ origin }: IncomingHttpHeaders, origins: readonly string[]): boolean {
  return origin !== undefined && origins.includes(origin);
}
