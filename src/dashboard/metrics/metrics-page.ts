import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exposition } from '../../telemetry/exposition.ts';
import { isFromLoopback } from '../../web/loopback.ts';

/** Header fields that show a proxy. Other unknown fields do not count, since scrapers send their own. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded-.*|cf-.*|true-client-ip)$/i;

export interface MetricsPageDependencies {
  /** The current `dashboard.metrics_token`; null: only clients on loopback may read. */
  readonly token: () => string | null;
  /** Called on the first request. */
  readonly exposition: () => Exposition | Promise<Exposition>;
}

/**
 * `GET /metrics`, for Prometheus. It answers direct clients on this machine, and clients with the token. Every other
 * client gets the 404 page of the dashboard.
 *
 * @returns true after an answer; false when the dashboard must answer the request.
 */
export function createMetricsPage({
  token,
  exposition,
}: MetricsPageDependencies): (request: IncomingMessage, response: ServerResponse) => boolean {
  let opened: Promise<Exposition> | null = null;
  /** Scrapes that arrive while an answer is rendered share this answer. */
  let rendering: Promise<{ readonly type: string; readonly text: string }> | null = null;

  async function render() {
    opened ??= Promise.resolve(exposition());
    const { contentType, render: renderNow } = await opened;
    return { type: contentType, text: await renderNow() };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    rendering ??= render().finally(() => {
      rendering = null;
    });
    const { type, text } = await rendering;
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  return (request, response) => {
    if (!asksForMetrics(request) || !(isNear(request) || knowsToken(request, token()))) return false;
    answer(request, response).catch(() => response.destroy());
    return true;
  };
}

function asksForMetrics({ method, url = '/' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === '/metrics';
}

/** A proxy on this machine forwards requests of other clients. */
function isNear(request: IncomingMessage): boolean {
  return (
    isFromLoopback(request) && !request.rawHeaders.some((name, i) => i % 2 === 0 && FORWARDING.test(name))
  );
}

function knowsToken({ headers }: IncomingMessage, token: string | null): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === null || given === undefined) return false;
  // Hashes have one length for every guess.
  return timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
