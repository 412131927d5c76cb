import { parseCountersUrl } from './counters-url.ts';

/** Readers of the URLs in the configuration: each setting takes exactly the kind that its user can serve. */

/** Scheme, host and port of an http(s) URL that says nothing else; null for any other text. */
export function parseOrigin(text: string): string | null {
  const url = parseUrl(text, ['http:', 'https:']);
  if (!url || url.username || url.password) return null;
  if (url.pathname !== '/' || /[?#]/.test(text)) return null;
  return url.origin;
}

/**
 * A host and a port without a scheme are plain HTTP, and a port alone is one of this machine. Port 443 is left as it is:
 * it means TLS to most, and a scheme has to say so. So is everything else.
 */
export function completeOrigin<T>(given: T): T | string {
  const text = String(given);
  const [, port] = /^:?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined) return `http://localhost:${Number(port)}`;
  const isHostAndPort = /^(?:\[[\da-f:.]+\]|[^\s/:?#@[\]]+):\d{1,5}\/?$/i.test(text);
  return isHostAndPort && !/^https?:|:0*443\/?$/i.test(text) ? `http://${text}` : given;
}

/** An absolute http or https URL; with `user:password@` only where the setting is a secret. */
export function isWebUrl(text: string): boolean {
  return parseUrl(text, ['http:', 'https:']) !== null;
}

export function isSmtpUrl(text: string): boolean {
  return parseUrl(text, ['smtp:', 'smtps:']) !== null;
}

/** `sqlite:` and a path, or a PostgreSQL URL. */
export function isRecordsStore(text: string): boolean {
  if (text.startsWith('sqlite:')) return text.length > 'sqlite:'.length && !hasControls(text);
  return parseUrl(text, ['postgres:', 'postgresql:']) !== null;
}

/** `memory`, or the URL of a Redis or Valkey server, of Sentinels or of a cluster. */
export function isCountersStore(text: string): boolean {
  return text === 'memory' || (!hasControls(text) && parseCountersUrl(text) !== null);
}

/** The WHATWG parser drops tabs, line ends and outer spaces and accepts `http:host`; both are typing mistakes here. */
function parseUrl(text: string, schemes: readonly string[]): URL | null {
  if (/\s/.test(text) || hasControls(text) || !/^[a-z]+:\/\/[^/]/i.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.hostname && schemes.includes(url.protocol) ? url : null;
}

export function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
