import { isAbsolute, resolve } from 'node:path';
import { parseCountersUrl } from './counters-url.ts';

/** Scheme, host and port of an http(s) URL without any other part. Null for any other text, and for port 0. */
export function parseOrigin(text: string): string | null {
  const url = parseUrl(text, ['http:', 'https:']);
  if (!url || url.username || url.password) return null;
  if (url.port === '0' || url.pathname !== '/' || /[?#]/.test(text)) return null;
  // No host has an asterisk in its name: the text is meant as a pattern.
  return url.hostname.includes('*') ? null : url.origin;
}

/**
 * Completes an upstream. A host and a port without a scheme mean plain HTTP, and a port alone means this machine. Port
 * 443 stays unchanged, because it usually means TLS, and then the scheme must be written. Any other value stays
 * unchanged too.
 */
export function completeOrigin<T>(given: T): T | string {
  const text = String(given);
  const [, port] = /^:?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined) return `http://localhost:${Number(port)}`;
  const isHostAndPort = /^(?:\[[\da-f:.]+\]|[^\s/:?#@[\]]+):\d{1,5}\/?$/i.test(text);
  return isHostAndPort && !/^https?:|:0*443\/?$/i.test(text) ? `http://${text}` : given;
}

/** Reads an absolute http or https URL. `user:password@` is accepted only when the setting is a secret. */
export function isWebUrl(text: string): boolean {
  return parseUrl(text, ['http:', 'https:']) !== null;
}

export function isSmtpUrl(text: string): boolean {
  return parseUrl(text, ['smtp:', 'smtps:']) !== null;
}

/** `sqlite:` and a path, or a PostgreSQL URL. Only a shell replaces `~` by a folder. */
export function isRecordsStore(text: string): boolean {
  if (text.startsWith('sqlite:')) return /^sqlite:(?!~\/)./.test(text) && !hasControls(text);
  return parseUrl(text, ['postgres:', 'postgresql:']) !== null;
}

/** Parameters of a PostgreSQL URL that name files. */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** Makes the paths of TLS files in a PostgreSQL URL absolute. A URL without relative paths stays as it is written. */
export function resolveTlsFiles(text: string, folder: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const relative = TLS_FILES.filter((name) => {
    const file = url.searchParams.get(name);
    return file && file !== 'system' && !isAbsolute(file);
  });
  for (const name of relative) url.searchParams.set(name, resolve(folder, url.searchParams.get(name) ?? ''));
  return relative.length === 0 ? text : url.href;
}

/** `memory`, or the URL of a Redis or Valkey server, of Sentinels or of a cluster. */
export function isCountersStore(text: string): boolean {
  return text === 'memory' || (!hasControls(text) && parseCountersUrl(text) !== null);
}

/**
 * The WHATWG parser removes tabs, line ends and outer spaces, and accepts `http:host`. All of these are typing mistakes
 * here.
 */
function parseUrl(text: string, schemes: readonly string[]): URL | null {
  if (/\s/.test(text) || hasControls(text) || !/^[a-z]+:\/\/[^/]/i.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.hostname && schemes.includes(url.protocol) ? url : null;
}

export function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
