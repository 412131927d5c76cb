import { createHmac } from 'node:crypto';
import { bytesOfWebhookSecret } from '../config/export-formats.ts';

export interface WebhookMessage {
  /** The same for every try of one message. */
  readonly id: string;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): a signature by each secret, so that a receiver
 * that knows one of them can check it.
 *
 * @param now of this try, in milliseconds: receivers refuse messages whose time is minutes away.
 */
export function signWebhook(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  now: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', bytesOfWebhookSecret(secret) ?? '');
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
