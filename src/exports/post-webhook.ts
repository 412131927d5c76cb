import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { type Cidr, parseCidr } from '../addresses/ip-address.ts';
import { AddressRefusedError, isAllowedAddress, lookupAllowed } from './lookup-allowed.ts';

/**
 * The time limit of a whole request. It is shorter than the lease of a delivery, so that no second process sends the
 * batch meanwhile.
 */
const TIMEOUT_MS = 10_000;
/** The largest body of an answer. The body has no meaning, and a longer one ends the connection. */
const MAX_ANSWER_BYTES = 65_536;

/** The cause when the limit of the receiver for bodies is smaller than the message. */
export const TOO_LARGE = 'status_413';

/** The result of one attempt. `retryAfterMs` is the delay that the receiver asked for, or null. */
export type PostResult =
  | { readonly isDelivered: true }
  | { readonly isDelivered: false; readonly because: string; readonly retryAfterMs: number | null };

/** The connections to one receiver. */
export interface WebhookClient {
  /**
   * Sends one message. Send only one message at a time. Never rejects. Redirects are not followed: a redirect is a
   * failure.
   */
  post(headers: Readonly<Record<string, string>>, body: string): Promise<PostResult>;
  /** Ends the current request. It then counts as a failure. */
  close(): void;
}

/** @param privateNetworks The networks that the receiver may be in, besides public addresses. */
export function createWebhookClient(
  address: string,
  privateNetworks: readonly string[],
  timeoutMs = TIMEOUT_MS,
): WebhookClient {
  const url = new URL(address);
  const networks = privateNetworks.map(parseCidr).filter((cidr): cidr is Cidr => cidr !== null);
  const settings = { keepAlive: true, maxSockets: 1, lookup: lookupAllowed(networks) };
  const isTls = url.protocol === 'https:';
  const agent = isTls ? new HttpsAgent(settings) : new HttpAgent(settings);
  const request = isTls ? httpsRequest : httpRequest;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  let underWay: ClientRequest | null = null;
  const isRefused = isAddress(host) && !isAllowedAddress(host, networks);

  function send(headers: Readonly<Record<string, string>>, body: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => sent.destroy(new TimeoutError()), timeoutMs);
      const sent = request(
        {
          ...urlToHttpOptions(url),
          agent,
          method: 'POST',
          headers: {
            ...headers,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Gatekeeper',
          },
        },
        (answer) => {
          readAll(answer).then(
            () => resolve(answer),
            (error: unknown) => reject(error),
          );
        },
      );
      sent.on('error', reject);
      sent.on('close', () => {
        clearTimeout(timeout);
        underWay = null;
      });
      underWay = sent;
      sent.end(body);
    });
  }

  return {
    async post(headers, body) {
      if (isRefused) return failed('address_refused');
      try {
        const { statusCode = 0, headers: answered } = await send(headers, body);
        if (statusCode >= 200 && statusCode < 300) return { isDelivered: true };
        return failed(`status_${statusCode}`, retryAfter(answered['retry-after']));
      } catch (error) {
        return failed(causeOf(error));
      }
    },
    close() {
      underWay?.destroy(new Error('The process is stopping.'));
      agent.destroy();
    },
  };
}

class TimeoutError extends Error {}

function failed(because: string, retryAfterMs: number | null = null): PostResult {
  return { isDelivered: false, because, retryAfterMs };
}

function causeOf(error: unknown): string {
  if (error instanceof AddressRefusedError) return 'address_refused';
  if (error instanceof TimeoutError) return 'timeout';
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'not_resolved';
  return /^(ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO|ERR_SSL)/.test(code) ? 'tls' : 'unreachable';
}

/** Reads the delay of RFC 9110 section 10.2.3. Only the usual form in seconds is read. */
function retryAfter(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}

async function readAll(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES) return;
  }
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':');
}
