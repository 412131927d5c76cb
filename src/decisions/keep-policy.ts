import type { Judge } from '../assessment/judge.ts';
import { configuredRevisionOf } from '../assessment/policy.ts';
import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Stores the policy, so that decisions can be explained by the policy of their time. Another policy than before is an entry of
 * the audit log. Several processes that start with it at once may write it more than once.
 */
export async function keepPolicy(
  { decisions, audit }: Pick<Storage, 'decisions' | 'audit'>,
  { policyRevision, policy }: Pick<Judge, 'policyRevision' | 'policy'>,
  clock: Clock,
): Promise<void> {
  const state = await decisions.savePolicy(policyRevision, policy);
  const revision = configuredRevisionOf(policyRevision);
  const [last] = await audit.page({ before: null, limit: 1, act: 'policy.changed' });
  const isChanged = last ? last.subject !== revision : state === 'new';
  if (!isChanged) return;
  await audit.record({
    ...{ at: clock(), actorId: null, actorName: 'the configuration', act: 'policy.changed' },
    ...{ subject: revision, detail: { before: last?.subject ?? null } },
  });
}
