import { createHmac } from 'node:crypto';
import { bytesOfWebhookSecret } from '../config/export-formats.ts';

export interface WebhookMessage {
  /** The id of the message. It is the same for every attempt. */
  readonly id: string;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): one signature for each secret, so that a
 * receiver with any of these secrets can check the message.
 *
 * @param now The time of this attempt, in milliseconds. Receivers refuse messages with an old time.
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
