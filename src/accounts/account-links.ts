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

/** How long a link of that kind works, in words: `24 hours`. */
export function linkLifetime(kind: AccountTokenKind): string {
  return LIFETIMES[kind].text;
}

/** A link that works once, still to be stored. The token is in the URL alone: its hash is stored. */
export interface DraftLink {
  readonly url: string;
  readonly token: NewAccountToken;
}

export function draftLink(
  publicUrl: string,
  purpose: Pick<NewAccountToken, 'kind' | 'accountId' | 'email'>,
): DraftLink {
  const token = createToken();
  return {
    url: `${publicUrl}/links/${token}`,
    token: { ...purpose, id: tokenSha256(token), lifetimeMs: LIFETIMES[purpose.kind].ms },
  };
}

type LinkRecords = Pick<Storage, 'users' | 'accountTokens'>;

/** The link that makes the first operator; null where there is one. It voids earlier set-up links. */
export async function createSetUpLink(
  { users, accountTokens }: LinkRecords,
  publicUrl: string,
): Promise<string | null> {
  if (await users.hasOperator()) return null;
  const { url, token } = draftLink(publicUrl, { kind: 'set-up', accountId: null, email: null });
  await accountTokens.create(token);
  return url;
}

/** The link with which the owner of an account chooses a password: the first one (`set-up`), or another. */
export async function createPasswordLink(
  { accountTokens }: Pick<Storage, 'accountTokens'>,
  { id, email }: { readonly id: string; readonly email: string },
  { kind, publicUrl }: { readonly kind: 'set-up' | 'password-reset'; readonly publicUrl: string },
): Promise<string> {
  const { url, token } = draftLink(publicUrl, { kind, accountId: id, email });
  await accountTokens.create(token);
  return url;
}
