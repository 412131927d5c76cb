import type { GatekeeperError } from './gatekeeper-error.ts';

/** 502 and 504 come from a load balancer whose node stopped. A repeated request would get the same 500 or 4xx again. */
const TEMPORARY: readonly (number | null)[] = [429, 502, 503, 504];
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;
/** A random delay. It spreads the clients that an overloaded server refused at the same time. */
const MAX_SPREAD_MS = 500;

/** Whether the same request can succeed later. */
export function isTemporary({ code, status }: GatekeeperError): boolean {
  return code === 'connection_failed' || TEMPORARY.includes(status);
}

/**
 * Milliseconds until the next try. It is never less than the server asked for. If the server asked for no delay, it is
 * a random part of a delay that doubles with each try.
 * @param tries that have failed, at least 1
 */
export function retryDelayMs(error: GatekeeperError, tries: number): number {
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
  if (askedMs > 0) return askedMs + Math.random() * Math.min(MAX_SPREAD_MS, askedMs / 4);
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** tries);
  return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** Seconds of a `Retry-After` field (RFC 9110 section 10.2.3); null when it is absent or invalid. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  const now = Date.parse(headers.get('date') ?? '');
  if (!/[a-z]/i.test(text) || Number.isNaN(date) || Number.isNaN(now)) return null;
  return Math.max(0, Math.ceil((date - now) / 1_000));
}
