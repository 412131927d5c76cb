import type { DashboardRouter } from '../router.ts';
import type { AccountDependencies } from './account-dependencies.ts';
import { registerAccountList } from './account-list-routes.ts';
import { registerForgottenPassword } from './forgotten-password-page.tsx';
import { registerLinks } from './link-routes.ts';
import { registerOneAccount } from './one-account-routes.ts';
import { registerOwnAccount } from './own-account-routes.ts';
import { registerRegistration } from './registration-page.tsx';
import { registerSignIn } from './sign-in-page.tsx';
import { registerSecondStep } from './two-factor/second-step-page.tsx';
import { registerTwoFactor } from './two-factor/two-factor-routes.ts';

/**
 * The pages on which users sign in, register and change their own account, and the pages of all accounts for operators.
 */
export function registerAccountPages(router: DashboardRouter, dependencies: AccountDependencies): void {
  registerSignIn(router, dependencies);
  registerSecondStep(router, dependencies);
  registerLinks(router, dependencies);
  registerForgottenPassword(router, dependencies);
  registerRegistration(router, dependencies);
  registerOwnAccount(router, dependencies);
  registerTwoFactor(router, dependencies);
  registerAccountList(router, dependencies);
  registerOneAccount(router, dependencies);
}
