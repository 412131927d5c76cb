import type { Kysely } from 'kysely';
import type { StorageSchema } from '../storage-schema.ts';
import { findReachedLimit } from './held-signup-limits.ts';
import type { HoldBounds, HoldOutcome, NewHeldSignup } from './held-signup-store.ts';
import { countMail, retryAfterMs } from './mail-budgets.ts';

/** To be called in a transaction: two signups at once cannot both take the last free place. */
export async function holdSignup(
  trx: Kysely<StorageSchema>,
  signup: NewHeldSignup,
  bounds: HoldBounds,
): Promise<HoldOutcome> {
  const { requestId, keptAs = requestId, budgetKeys, createdAt } = signup;
  const waitMs = await retryAfterMs(trx, budgetKeys, bounds.budgets, createdAt);
  if (waitMs > 0) return { held: false, because: 'budget', retryAfterMs: waitMs };
  const limit = await findReachedLimit(trx, signup, bounds);
  if (limit !== null) return { held: false, because: 'full', of: limit };
  await trx.insertInto('held_signups').values(toRow(signup)).execute();
  if (keptAs !== requestId) {
    await trx.insertInto('folded_held_signups').values({ request_id: requestId, kept_as: keptAs }).execute();
  }
  await countMail(trx, budgetKeys, createdAt);
  return { held: true };
}

function toRow(signup: NewHeldSignup) {
  return {
    request_id: signup.requestId,
    page_token: signup.pageTokenSha256,
    link_token: signup.linkTokenSha256,
    mailbox: signup.mailbox,
    mail_mailbox: signup.budgetKeys.mailbox,
    mail_origin: signup.budgetKeys.origin,
    domain: signup.domain,
    network: signup.network,
    pass_network: signup.passNetwork,
    user_agent: signup.userAgent,
    pass_token: null,
    browser: signup.sender.browser,
    system: signup.sender.system,
    country: signup.sender.country,
    created_at: signup.createdAt,
    expires_at: signup.expiresAt,
    state: 'waiting',
    verified_at: null,
    passed: 0,
    code: signup.codeHash,
    code_expires_at: signup.codeExpiresAt,
    tries: 0,
    mails: 1,
    mailed_at: signup.createdAt,
    mail_state: 'queued',
    key_id: signup.keyId,
    size: signup.size,
    sealed: signup.seal(),
  } as const;
}
