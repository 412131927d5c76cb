import type { Attempt } from '../../src/assessment/attempt.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createToken, tokenSha256 } from '../../src/web/tokens.ts';

export interface PastVerification {
  readonly attempt: Attempt;
  /** Whether its sender had the mailbox and confirmed it. */
  readonly confirms: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NO_BOUNDS = {
  maxHeld: Number.MAX_SAFE_INTEGER,
  maxHeldBytes: Number.MAX_SAFE_INTEGER,
  budgets: {
    mailbox: Number.MAX_SAFE_INTEGER,
    origin: Number.MAX_SAFE_INTEGER,
    site: Number.MAX_SAFE_INTEGER,
  },
};

/**
 * Holds a past signup as the gate would have done, and ends it: confirmed after two minutes, or expired after a day.
 * Signups of the last day that were not confirmed are left alone, because they would still wait.
 */
export async function endVerification(
  { attempt, confirms }: PastVerification,
  { heldSignups, now }: Pick<Storage, 'heldSignups'> & { readonly now: number },
): Promise<void> {
  const { requestId, receivedAt: createdAt, identity } = attempt;
  const { mailbox, domain, network, userAgent } = identity;
  const expiresAt = createdAt + DAY_MS;
  if (mailbox === null || domain === null || (!confirms && expiresAt > now)) return;
  await heldSignups.hold(
    {
      requestId,
      mailbox,
      domain,
      network,
      passNetwork: network,
      userAgent: userAgent ?? '',
      pageTokenSha256: tokenSha256(createToken()),
      linkTokenSha256: tokenSha256(createToken()),
      budgetKeys: { mailbox, origin: identity.ip },
      sender: { browser: null, system: null, country: null },
      createdAt,
      expiresAt,
      codeHash: tokenSha256(createToken()),
      codeExpiresAt: expiresAt,
      // The content of an ended signup is deleted, so there is none to seal.
      keyId: 'none',
      size: 0,
      seal: () => '',
    },
    NO_BOUNDS,
  );
  if (!confirms) return;
  await heldSignups.claim({ requestId, now: createdAt + 2 * MINUTE_MS, passTokenSha256: null });
  await heldSignups.finish(requestId);
}
