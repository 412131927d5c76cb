import type { AccountService } from '../../accounts/account-service.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';

/** What the account pages need. */
export interface AccountDependencies extends DashboardDependencies {
  readonly accounts: AccountService;
}
