import type { DashboardParts } from '../parts.ts';
import type { PasswordHasher } from '../session/password-hash.ts';
import type { SignInThrottle } from '../session/sign-in-throttle.ts';
import type { MailDesk } from './mail-desk.ts';

/** What the pages of people share among them. */
export interface PeopleParts extends DashboardParts {
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
  readonly desk: MailDesk;
}
