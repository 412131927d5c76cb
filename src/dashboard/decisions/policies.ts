import type { Policy } from '../../assessment/policy.ts';
import { FACTORS, type ReasonCode } from '../../assessment/reasons.ts';
import { scoreFactors } from '../../assessment/score.ts';
import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { Storage } from '../../storage/storage.ts';

/** A policy takes less than 2 KB. Every change of lists or configuration creates another policy. */
const MAX_POLICIES = 200;

/** The policies of stored decisions. They never change, so loaded policies are cached. */
export interface Policies {
  /** Null when the policy is not stored. */
  of(decision: StoredDecision): Promise<Policy | null>;
}

export function createPolicies({ decisions }: Pick<Storage, 'decisions'>): Policies {
  const known = new Map<string, Policy>();
  return {
    async of({ policyRevision }) {
      const policy = known.get(policyRevision) ?? (await decisions.findPolicy(policyRevision));
      if (policy && !known.has(policyRevision)) {
        if (known.size >= MAX_POLICIES) known.clear();
        known.set(policyRevision, policy);
      }
      return policy;
    },
  };
}

/** The top reason: the list entry, or the reason of the factor with the lowest score. */
export function topReason(decision: StoredDecision, policy: Policy): ReasonCode {
  const { factors } = scoreFactors(decision.examinations, decision.lists, policy);
  const listed = factors.find(({ state }) => state === 'listed');
  const evaluated = factors.filter(({ state }) => state === 'evaluated');
  const lowest = evaluated.toSorted((a, b) => a.score - b.score)[0];
  return (listed ?? lowest ?? factors[0])?.reason.code ?? `${FACTORS[0]}_not_evaluated`;
}
