import type { Kysely } from 'kysely';
import type { StorageEngine } from '../engine/engine.ts';
import { MAILS_LOCK } from '../locks.ts';
import type { StorageSchema } from '../storage-schema.ts';
import { findReachedLimit } from './held-signup-limits.ts';
import type { HoldBounds, HoldOutcome, NewHeldSignup } from './held-signup-store.ts';
import { budgetWaits, countMail, longestWaitMs, uncountMail } from './mail-budgets.ts';
import type { SpentBudgets } from './spent-budgets.ts';
import { dropSuggestion } from './suggestions.ts';

type Database = Kysely<StorageSchema>;
type Bounds = HoldBounds & { readonly spent: SpentBudgets };

/** Of two simultaneous signups, only one gets the last free place. */
export async function holdSignup(
  { kind, db, transact, lock }: StorageEngine,
  signup: NewHeldSignup,
  bounds: Bounds,
): Promise<HoldOutcome> {
  const knownMs = isMailed(signup)
    ? bounds.spent.waitMs(signup.budgetKeys, bounds.budgets, signup.createdAt)
    : 0;
  if (knownMs > 0) return { held: false, because: 'budget', retryAfterMs: knownMs };
  // A flood of signups over a budget would wait for the lock one by one. In SQLite the transaction itself is the lock.
  const refused = kind === 'sqlite' ? null : await refusalOf(db, signup, bounds);
  if (refused) return refused;
  return transact(async (trx) => {
    await lock(trx, [MAILS_LOCK]);
    return (await refusalOf(trx, signup, bounds)) ?? (await write(trx, signup));
  });
}

/**
 * Deletes what `holdSignup` has stored. The lock waits for a transaction of it whose commit is still on its way: its row
 * cannot be seen yet.
 */
export async function takeBackSignup(
  { transact, lock }: StorageEngine,
  { requestId, state = 'waiting', budgetKeys, createdAt }: NewHeldSignup,
): Promise<void> {
  await transact(async (trx) => {
    await lock(trx, [MAILS_LOCK]);
    const { numDeletedRows } = await trx
      .deleteFrom('held_signups')
      .where('request_id', '=', requestId)
      .where('state', '=', state)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await trx.deleteFrom('folded_held_signups').where('request_id', '=', requestId).execute();
    await dropSuggestion(trx, requestId);
    if (isMailed({ state })) await uncountMail(trx, budgetKeys, createdAt);
  });
}

async function refusalOf(
  db: Database,
  signup: NewHeldSignup,
  bounds: Bounds,
): Promise<Extract<HoldOutcome, { readonly held: false }> | null> {
  if (isMailed(signup)) {
    const { budgetKeys, createdAt } = signup;
    const waits = await budgetWaits(db, budgetKeys, bounds.budgets, createdAt);
    bounds.spent.remember(budgetKeys, waits, createdAt);
    const retryAfterMs = longestWaitMs(waits);
    if (retryAfterMs > 0) return { held: false, because: 'budget', retryAfterMs };
  }
  const limit = await findReachedLimit(db, signup, bounds);
  return limit === null ? null : { held: false, because: 'full', of: limit };
}

async function write(trx: Database, signup: NewHeldSignup): Promise<HoldOutcome> {
  const { requestId, decisionId = requestId, budgetKeys, createdAt, sealedSuggestion } = signup;
  await trx.insertInto('held_signups').values(toRow(signup)).execute();
  if (decisionId !== requestId) {
    await trx
      .insertInto('folded_held_signups')
      .values({ request_id: requestId, kept_as: decisionId })
      .execute();
  }
  if (sealedSuggestion) {
    await trx
      .insertInto('suggested_addresses')
      .values({ request_id: requestId, sealed: sealedSuggestion })
      .execute();
  }
  // An offer counts too: otherwise refused signups could fill the room without a limit in time.
  if (isMailed(signup)) await countMail(trx, budgetKeys, createdAt);
  return { held: true };
}

/** Whether the signup counts as a mail, also when its page only offers a correction. */
function isMailed({ state }: Pick<NewHeldSignup, 'state'>): boolean {
  return state !== 'refused';
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
    state: signup.state ?? 'waiting',
    verified_at: null,
    passed: 0,
    code: signup.codeHash,
    code_expires_at: signup.codeExpiresAt,
    tries: 0,
    mails: (signup.state ?? 'waiting') === 'waiting' ? 1 : 0,
    mailed_at: signup.createdAt,
    mail_state: 'queued',
    key_id: signup.keyId,
    size: signup.size,
    sealed: signup.seal(),
  } as const;
}
