import type { AccountTokenKind, NewAccountToken } from '../storage/accounts/account-token-store.ts';
import type { Storage } from '../storage/storage.ts';
import { createToken, tokenSha256 } from '../web/tokens.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIFETIMES: Readonly<Record<AccountTokenKind, { readonly ms: number; readonly text: string }>> = {
  'set-up': { ms: 7 * DAY_MS, text: '7 days' },
  registration: { ms: DAY_MS, text: '24 hours' },
  'password-reset': { ms: HOUR_MS, text: 'an hour' },
  'email-change': { ms: DAY_MS, text: '24 hours' },
};

/** The lifetime of a link in milliseconds. */
export function linkLifetimeMs(kind: AccountTokenKind): number {
  return LIFETIMES[kind].ms;
}

/** The lifetime of a link in words: `24 hours`. */
export function linkLifetime(kind: AccountTokenKind): string {
  return LIFETIMES[kind].text;
}

/** A link that works once and is not stored yet. Only the URL has the token; the storage gets its hash. */
export interface DraftLink {
  readonly url: string;
  readonly token: NewAccountToken;
}

export function draftLink(publicUrl: string, purpose: Omit<NewAccountToken, 'id' | 'lifetimeMs'>): DraftLink {
  const token = createToken();
  return {
    url: `${publicUrl}/links/${token}`,
    token: { ...purpose, id: tokenSha256(token), lifetimeMs: LIFETIMES[purpose.kind].ms },
  };
}

type LinkRecords = Pick<Storage, 'users' | 'accountTokens'>;

/** Creates the link for the first operator and makes earlier set-up links invalid. Null if an operator exists. */
export async function createSetUpLink(
  { users, accountTokens }: LinkRecords,
  publicUrl: string,
): Promise<string | null> {
  if (await users.hasOperator()) return null;
  const { url, token } = draftLink(publicUrl, { kind: 'set-up', accountId: null, email: null });
  await accountTokens.create(token);
  return url;
}

/** The link for the first operator, or the end of validity of an earlier link. Both are null if an operator exists. */
export interface SharedSetUpLink {
  readonly url: string | null;
  readonly earlierValidUntil: number | null;
}

/**
 * For several nodes: creates a link only if no valid link is stored. A new link would make the link invalid that
 * another node has just printed.
 */
export async function createSharedSetUpLink(
  { accountTokens }: Pick<Storage, 'accountTokens'>,
  publicUrl: string,
): Promise<SharedSetUpLink> {
  const { url, token } = draftLink(publicUrl, { kind: 'set-up', accountId: null, email: null });
  const made = await accountTokens.createFirstSetUp(token);
  return made.created ? { url, earlierValidUntil: null } : { url: null, earlierValidUntil: made.validUntil };
}

/** Creates a link on which the owner of an account chooses the first password (`set-up`) or a new one. */
export async function createPasswordLink(
  { accountTokens }: Pick<Storage, 'accountTokens'>,
  { id, email }: { readonly id: string; readonly email: string },
  { kind, publicUrl }: { readonly kind: 'set-up' | 'password-reset'; readonly publicUrl: string },
): Promise<string> {
  const { url, token } = draftLink(publicUrl, { kind, accountId: id, email });
  await accountTokens.create(token);
  return url;
}
