import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ListedDecision } from './decision-table.tsx';
import { type Policies, topReason } from './policies.ts';

/** Decisions with the additional values of a table: the top reason, and the name of the key. */
export async function describeDecisions(
  decisions: readonly StoredDecision[],
  { decisionSearch }: Pick<Storage, 'decisionSearch'>,
  policies: Policies,
): Promise<readonly ListedDecision[]> {
  const keyIds = new Set(decisions.flatMap(({ keyId }) => keyId ?? []));
  const keys = await decisionSearch.keys([...keyIds]);
  const rows: ListedDecision[] = [];
  for (const decision of decisions) {
    const policy = await policies.of(decision);
    rows.push({
      decision,
      reason: policy && topReason(decision, policy),
      key: keys.get(decision.keyId ?? '') ?? null,
    });
  }
  return rows;
}
