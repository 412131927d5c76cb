import type { Judge } from '../assessment/judge.ts';
import { configuredRevisionOf } from '../assessment/policy.ts';
import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Stores the policy, because a decision is explained by the policy of its time. A changed policy also becomes an entry
 * of the audit log. When several processes start with it at once, they may write it several times.
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
    at: clock(),
    actorId: null,
    actorName: 'the configuration',
    act: 'policy.changed',
    subject: revision,
    detail: { before: last?.subject ?? null },
  });
}
