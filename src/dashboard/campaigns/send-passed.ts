import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { createBatchSize } from '../../exports/batch-size.ts';
import { describeDecision } from '../../exports/decision-document.ts';
import { createWebhookClient, type PostResult, TOO_LARGE } from '../../exports/post-webhook.ts';
import { signWebhook } from '../../exports/sign-webhook.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { OneCampaignQuery } from './campaign-query.ts';

export type CampaignReceiver = Config['exports'][number];

/** The user waits for the answer. For more decisions, there is the export as a file. */
export const MAX_SENT = 10_000;

export interface SentPassed {
  readonly sent: number;
  /** The reason why the receiver did not accept the next decisions; null when it accepted all. */
  readonly because: string | null;
  /** Whether there were more decisions than can be sent at once. */
  readonly isCut: boolean;
}

/**
 * Sends the decisions of a campaign that passed to one webhook, signed like its other messages, one request after the
 * other. The same campaign has the same ids, so the receiver recognises decisions that it already has.
 */
export async function sendPassed(
  receiver: CampaignReceiver,
  chunks: AsyncIterable<readonly StoredDecision[]>,
  { query, now }: { readonly query: OneCampaignQuery; readonly now: () => number },
): Promise<SentPassed> {
  const { name, url, secrets, private_networks } = receiver;
  const { kind, key, from, to } = query;
  const campaign = { kind, key, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const client = createWebhookClient(url, private_networks);
  const size = createBatchSize(now);

  async function post(decisions: readonly StoredDecision[]): Promise<PostResult> {
    const body = `{"type":"campaign.passed","timestamp":"${campaign.to}","data":{"campaign":${JSON.stringify(campaign)},"decisions":[\n${decisions.map((decision) => describeDecision(decision)).join(',\n')}\n]}}`;
    const id = `msg_${createHash('sha256').update(`${name}\n${body}`).digest('hex').slice(0, 32)}`;
    return await client.post(signWebhook({ id, body }, secrets, now()), body);
  }

  let sent = 0;
  try {
    for await (const decisions of chunks) {
      if (sent + decisions.length > MAX_SENT) return { sent, because: null, isCut: true };
      for (let left = decisions; left.length > 0; ) {
        const some = left.slice(0, size.most());
        const result = await post(some);
        if (result.isDelivered) {
          sent += some.length;
          left = left.slice(some.length);
        } else if (result.because === TOO_LARGE && some.length > 1) {
          size.halve(some.length);
        } else {
          return { sent, because: result.because, isCut: false };
        }
      }
    }
    return { sent, because: null, isCut: false };
  } finally {
    client.close();
  }
}
