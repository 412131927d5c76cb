import type { Role } from '../../storage/accounts/account-store.ts';

/** The signed-in user who looks at a page. */
export interface Viewer {
  readonly accountId: string;
  /** As shown in the corner of each page. */
  readonly name: string;
  readonly email: string | null;
  /** An operator sees every account; a member its own. */
  readonly role: Role;
  readonly sessionId: string;
}

/** What a viewer may see of records that belong to accounts: null is everything. */
export function scopeOf({ role, accountId }: Viewer): string | null {
  return role === 'operator' ? null : accountId;
}
