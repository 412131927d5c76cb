import type { Policy } from '../../../src/assessment/policy.ts';
import type { DecisionRecord } from '../../../src/storage/decisions/decision-record.ts';
import { decisionWith } from '../../storage/decisions/decision-fixture.ts';
import type { DashboardServer } from '../dashboard-server.ts';

const POLICY: Policy = {
  weights: { email: 40, ip_address: 30, velocity: 20, user_agent: 10 },
  levels: { low: 70, medium: 40 },
  caps: { one_high_factor: 69, two_high_factors: 39, decisive: 20 },
  decisive: new Set(['disposable_email']),
  points: {},
};

/** Stores decisions that happened in the last minutes, under a policy that is stored as well. */
export async function storeDecisions(
  { records }: DashboardServer,
  decisions: readonly Partial<DecisionRecord>[],
): Promise<readonly DecisionRecord[]> {
  await records.decisions.savePolicy('policy-1', POLICY);
  const now = Date.now();
  const made = decisions.map((changes, n) =>
    decisionWith({
      processedAt: now - 60_000 + n,
      route: 'web',
      action: 'forward',
      mode: 'enforce',
      ...changes,
    }),
  );
  await Promise.all(made.map((decision) => records.decisions.record(decision)));
  return made;
}

/** A decision at the API with a key of this account. */
export function ofAccount(accountId: string): Partial<DecisionRecord> {
  return { accountId, keyId: `key of ${accountId}`, door: 'api', route: null, action: null, mode: null };
}

/** The identity of the fixture with these changes. */
export function withIdentity(changes: Partial<DecisionRecord['identity']>): Partial<DecisionRecord> {
  return { identity: { ...decisionWith().identity, ...changes } };
}
