import type { Account } from '../../storage/accounts/account-store.ts';
import type { AuditAct, AuditDetail } from '../../storage/audit/audit-log.ts';
import { viewerOf } from '../access.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { DashboardContext } from '../router.ts';

/** Writes down what the viewer did to an account. */
export function logAccountAct(
  context: DashboardContext,
  { records, clock }: DashboardDependencies,
  act: AuditAct,
  { account, detail }: { readonly account: Account; readonly detail: AuditDetail },
): Promise<void> {
  const { accountId, name } = viewerOf(context);
  return records.audit.record({
    ...{ at: clock(), actorId: accountId, actorName: name, act },
    ...{ subject: account.name, detail },
  });
}
