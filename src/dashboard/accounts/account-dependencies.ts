import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { MailDesk } from './mail-desk.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** What the pages of people share among them. */
export interface PeopleDependencies extends DashboardDependencies {
  readonly hasher: PasswordHasher;
  readonly throttle: SignInThrottle;
  readonly desk: MailDesk;
}
