import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exposition } from '../../telemetry/exposition.ts';
import { isFromLoopback } from '../../web/loopback.ts';

/** Scrapers send fields of their own, so that only those known to come from proxies count. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded-.*|cf-.*|true-client-ip)$/i;

export interface MetricsPageDependencies {
  /** `dashboard.metrics_token` of the moment; null: loopback alone may read. */
  readonly token: () => string | null;
  /** Called when somebody asks for the first time. */
  readonly exposition: () => Exposition | Promise<Exposition>;
}

/**
 * `GET /metrics`, for Prometheus. Answered to whoever is on this machine and came here directly, and to whoever knows the
 * token. Everybody else gets what the dashboard says of a page that is not there.
 *
 * @returns answers and says true, or leaves the request alone and says false.
 */
export function createMetricsPage({
  token,
  exposition,
}: MetricsPageDependencies): (request: IncomingMessage, response: ServerResponse) => boolean {
  let opened: Promise<Exposition> | null = null;
  /** Scrapes that come while one is being written share it. */
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
      ...{ 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) },
      ...{ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
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

/** A proxy on this machine speaks for another client. */
function isNear(request: IncomingMessage): boolean {
  return (
    isFromLoopback(request) && !request.rawHeaders.some((name, i) => i % 2 === 0 && FORWARDING.test(name))
  );
}

function knowsToken({ headers }: IncomingMessage, token: string | null): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === null || given === undefined) return false;
  // Hashes have one length, whatever is guessed.
  return timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
