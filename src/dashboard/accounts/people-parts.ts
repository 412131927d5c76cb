import type { DashboardParts } from '../parts.ts';
import type { MailDesk } from './mail-desk.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** What the pages of people share among them. */
export interface PeopleParts extends DashboardParts {
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
  readonly desk: MailDesk;
}
