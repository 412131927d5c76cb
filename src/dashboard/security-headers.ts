/** Only scripts, styles and pictures of the dashboard load. No other site may show the dashboard in a frame. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_SECONDS = 31_536_000;

/** Headers of every answer of the dashboard. */
export function securityHeaders({
  isHttps,
}: {
  readonly isHttps: boolean;
}): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': CONTENT_POLICY,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cache-Control': 'no-store',
    ...(isHttps && { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` }),
  };
}
