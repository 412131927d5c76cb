import type { Role } from '../../storage/accounts/account-store.ts';

/** The signed-in user who looks at a page. */
export interface Viewer {
  readonly accountId: string;
  /** The text in the corner of each page. */
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly sessionId: string;
  /** Whether two-factor is required and the user has not set it up. Then only the page of the set-up opens. */
  readonly owesTwoFactor: boolean;
}

/** The account whose records a viewer may see; null means all accounts. */
export function scopeOf({ role, accountId }: Viewer): string | null {
  return role === 'member' ? accountId : null;
}
