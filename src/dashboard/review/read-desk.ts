import type { StoredDecision } from '../../storage/decisions/decision-record.ts';
import { ANY_DECISION } from '../../storage/decisions/search/decision-filter.ts';
import type { ReviewableSignup, ReviewRecord } from '../../storage/held-signups/review-store.ts';
import type { DashboardDependencies } from '../dashboard-dependencies.ts';
import type { ListedDecision } from '../decisions/decision-table.tsx';
import { describeDecisions } from '../decisions/describe-decisions.ts';
import type { Policies } from '../decisions/policies.ts';

export interface DeskRow {
  readonly signup: ReviewableSignup;
  /** The decision; null when it was deleted, or is not stored yet. */
  readonly listed: ListedDecision | null;
}

export interface Desk {
  /** Signups whose sender has to confirm: first those whose mail failed, then those that end soonest. */
  readonly waiting: readonly DeskRow[];
  /** Refused signups whose request is kept; those that end soonest first. */
  readonly refused: readonly DeskRow[];
  /** Whether each list has more signups than shown. */
  readonly hasMore: { readonly waiting: boolean; readonly refused: boolean };
  /** Refused signups of the last days, newest first: also those whose request is not kept. */
  readonly lately: readonly ListedDecision[];
  readonly reviewed: readonly { readonly record: ReviewRecord; readonly actor: string }[];
}

const ROWS = 25;
const LATELY = 10;
const REVIEWED = 20;
const DAYS_MS = 7 * 86_400_000;

export async function readDesk({ records, clock }: DashboardDependencies, policies: Policies): Promise<Desk> {
  const now = clock();
  const { reviews, decisionSearch } = records;
  const waiting = await reviews.reviewQueue({ state: 'waiting', now, limit: ROWS + 1 });
  const refused = await reviews.reviewQueue({ state: 'refused', now, limit: ROWS + 1 });
  const recent = await reviews.recentReviews({ since: now - DAYS_MS, limit: REVIEWED });
  const filter = {
    ...ANY_DECISION,
    doors: ['gate' as const],
    wantedActions: ['block' as const],
    from: now - DAYS_MS,
  };
  const blocked = await decisionSearch.page(filter, null, LATELY);
  const names = await namesOf(records, recent);
  return {
    waiting: (await describe(waiting.slice(0, ROWS))).toSorted(byFailedMail),
    refused: await describe(refused.slice(0, ROWS)),
    hasMore: { waiting: waiting.length > ROWS, refused: refused.length > ROWS },
    lately: await describeDecisions(blocked?.decisions ?? [], records, policies),
    reviewed: recent.map((record) => ({
      record,
      actor: names.get(record.actorId ?? '') ?? 'a closed account',
    })),
  };

  async function describe(signups: readonly ReviewableSignup[]): Promise<DeskRow[]> {
    const decisions: StoredDecision[] = [];
    for (const { decisionId } of signups) {
      const decision = await decisionSearch.find(decisionId, null);
      if (decision) decisions.push(decision);
    }
    const listed = await describeDecisions(decisions, records, policies);
    const byId = new Map(listed.map((row) => [row.decision.requestId, row]));
    return signups.map((signup) => ({ signup, listed: byId.get(signup.decisionId) ?? null }));
  }
}

/** The names of the acting accounts, by their ids. */
export async function namesOf(
  { accounts }: Pick<DashboardDependencies['records'], 'accounts'>,
  records: readonly Pick<ReviewRecord, 'actorId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const id of new Set(records.map(({ actorId }) => actorId))) {
    const account = id === null ? null : await accounts.find(id);
    if (account) names.set(account.id, account.name);
  }
  return names;
}

/** Such a sender cannot continue without help. */
function byFailedMail(a: DeskRow, b: DeskRow): number {
  return Number(b.signup.mailState === 'failed') - Number(a.signup.mailState === 'failed');
}
