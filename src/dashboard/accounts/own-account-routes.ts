import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardRouter } from '../router.ts';
import { registerForgotten } from './forgotten.tsx';
import { registerLinks } from './links.ts';
import { createMailDesk } from './mail-desk.ts';
import { registerAccount } from './own-account.ts';
import { createPasswordHasher } from './password-hash.ts';
import type { PeopleDependencies } from './people-dependencies.ts';
import { registerRegistration } from './register.tsx';
import { registerSignIn } from './sign-in.tsx';
import { createSignInThrottle } from './sign-in-throttle.ts';

/** The pages on which people come, go, and look after their own account. */
export function registerPeople(router: DashboardRouter, parts: DashboardDependencies): void {
  const shared: PeopleDependencies = {
    ...parts,
    hasher: createPasswordHasher(),
    throttle: createSignInThrottle(parts.counters, parts.clock),
    desk: createMailDesk(parts),
  };
  registerSignIn(router, shared);
  registerLinks(router, shared);
  registerForgotten(router, shared);
  registerRegistration(router, shared);
  registerAccount(router, shared);
}
