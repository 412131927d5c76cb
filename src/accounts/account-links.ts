import type { AccountTokenKind, NewAccountToken } from '../storage/accounts/account-token-store.ts';
import type { Storage } from '../storage/storage.ts';
import { createToken, tokenSha256 } from '../web/tokens.ts';

/** Links that work once. The token stands in the link alone; what is stored is its hash. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIFETIMES_MS: Readonly<Record<AccountTokenKind, number>> = {
  'set-up': 7 * DAY_MS,
  registration: DAY_MS,
  'password-reset': HOUR_MS,
  'email-change': DAY_MS,
};

/** A link that is still to be stored. */
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
    token: { ...purpose, id: tokenSha256(token), lifetimeMs: LIFETIMES_MS[purpose.kind] },
  };
}

type LinkRecords = Pick<Storage, 'users' | 'accountTokens'>;

/** The link with which the first operator is made; null where there is one. It makes void those that were made before. */
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
