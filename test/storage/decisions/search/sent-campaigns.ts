import type { DecisionRecord } from '../../../../src/storage/decisions/decision-record.ts';
import type { CampaignKind } from '../../../../src/storage/decisions/search/campaign.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { decisionWith, NOON } from '../decision-fixture.ts';

const HOUR_MS = 3_600_000;

interface Sent extends Partial<DecisionRecord['identity']> {
  readonly at?: number;
  readonly decision?: Partial<DecisionRecord>;
}

export async function send(records: Storage, attempts: readonly Sent[]): Promise<void> {
  await Promise.all(
    attempts.map(({ at = NOON - 1_000, decision, ...identity }, n) =>
      records.decisions.record(
        decisionWith({
          processedAt: at,
          identity: {
            ...decisionWith().identity,
            ...{ mailbox: `mailbox-${n}`, domain: `d${n}.example`, network: `198.51.${n}.0/24` },
            ...identity,
          },
          ...decision,
        }),
      ),
    ),
  );
}

export const campaignsOf = async (records: Storage, kind: CampaignKind, accountId: string | null = null) =>
  (await records.decisionSearch.campaigns({ accountId, kind, from: NOON - HOUR_MS, to: NOON })).campaigns;

export const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));
