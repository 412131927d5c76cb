import type { Role } from '../../storage/accounts/account-store.ts';

/** The signed-in user who looks at a page. */
export interface Viewer {
  readonly accountId: string;
  /** As shown in the corner of each page. */
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly sessionId: string;
  /** Two-factor is required, and the user has not set it up: no page but that of the set-up opens. */
  readonly owesTwoFactor: boolean;
}

/** What a viewer may see of records that belong to accounts: null is everything. */
export function scopeOf({ role, accountId }: Viewer): string | null {
  return role === 'member' ? accountId : null;
}
