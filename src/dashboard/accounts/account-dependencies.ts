import type { AccountService } from '../../accounts/account-service.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';

/** The dependencies of the account pages. */
export interface AccountDependencies extends DashboardDependencies {
  readonly accounts: AccountService;
}
